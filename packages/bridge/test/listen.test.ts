import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isBridgeError } from '../src/error.ts';
import { startListener, type Listener } from '../src/listen.ts';
import { endpoint, scratch, toBroker, type Endpoint } from './helpers/session.ts';

const MEGABYTE = 1024 * 1024;

const client = async (port: number): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  return socket;
};

/** The error a socket closed with, if any. */
const closing = async (socket: Socket): Promise<Error | undefined> =>
  new Promise((resolve) => {
    let failure: Error | undefined;
    socket.on('error', (error) => (failure = error)).once('close', () => resolve(failure));
  });

interface Bridged extends AsyncDisposable {
  readonly port: number;
  readonly listener: Listener;
  readonly served: Endpoint;
}

/** A listener in front of this broker. */
const bridgeTo = async (broker: Server): Promise<Bridged> => {
  const directory = await scratch();
  const brokerPath = join(directory.path, 'broker.sock');
  const served = await endpoint(broker, brokerPath);
  const listener = await startListener({ port: 0, uplink: toBroker(brokerPath) });
  return {
    port: listener.port,
    listener,
    served,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([listener, served, directory].map(async (part) => part[Symbol.asyncDispose]()));
    },
  };
};

describe('listener', () => {
  it('B37: a client that half-closes still gets the whole answer, and both sides close afterwards', async () => {
    const answer = Buffer.alloc(8 * MEGABYTE, 'a');
    const answerTo = async (socket: Socket): Promise<void> => {
      expect(await text(socket)).toBe('GET / HTTP/1.1\r\nconnection: close\r\n\r\n');
      await delay(500);
      socket.end(answer);
    };
    const broker = createServer({ allowHalfOpen: true }, (socket) => {
      void answerTo(socket);
    });
    await using bridged = await bridgeTo(broker);
    const socket = await client(bridged.port);
    socket.end('GET / HTTP/1.1\r\nconnection: close\r\n\r\n');
    const closed = once(socket, 'close');
    expect((await buffer(socket)).equals(answer)).toBe(true);
    await closed;
    await Promise.all([...bridged.served.sockets].map(async (open) => once(open, 'close')));
    expect(bridged.served.sockets.size).toBe(0);
  });

  it('B37: a broker that half-closes first still gets the rest of the upload', async () => {
    const received = Promise.withResolvers<number>();
    const broker = createServer({ allowHalfOpen: true }, (socket) => {
      socket.end('early');
      void buffer(socket).then((body) => received.resolve(body.length));
    });
    await using bridged = await bridgeTo(broker);
    const socket = await client(bridged.port);
    expect(await text(socket)).toBe('early');
    socket.end(Buffer.alloc(8 * MEGABYTE));
    expect(await received.promise).toBe(8 * MEGABYTE);
    expect(bridged.served.server.listening).toBe(true);
  });

  it('an answer that ends an upload early arrives without a reset', async () => {
    const answered = Promise.withResolvers<Socket>();
    const broker = createServer((socket) => {
      socket.once('data', () => {
        socket.pause().end('413');
        answered.resolve(socket);
      });
    });
    await using bridged = await bridgeTo(broker);
    const socket = await client(bridged.port);
    const ended = closing(socket);
    socket.write(Buffer.alloc(32 * MEGABYTE));
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toBe('413');
    (await answered.promise).destroy();
    await once(socket, 'end');
    socket.end();
    expect(await ended).toBeUndefined();
  });

  it('holds back a fast sender while the reader is slow', async () => {
    const chunk = Buffer.alloc(64 * 1024);
    const total = 1024 * chunk.length;
    let sent = 0;
    const stalled = Promise.withResolvers<void>();
    const broker = createServer((socket) => {
      const send = (): void => {
        while (sent < total) {
          sent += chunk.length;
          if (!socket.write(chunk)) return;
        }
        socket.end();
      };
      socket.on('drain', send);
      send();
      // Stalled: no drain for a while although more is to be sent.
      let before = -1;
      const watch = setInterval(() => {
        if (before === sent) {
          clearInterval(watch);
          stalled.resolve();
        }
        before = sent;
      }, 300);
    });
    await using bridged = await bridgeTo(broker);
    const socket = await client(bridged.port);
    await stalled.promise;
    expect(sent).toBeLessThan(total / 2);
    expect((await buffer(socket)).length).toBe(total);
    socket.end();
  });

  it('answers 502 in words that make the agent try again when the broker is gone', async () => {
    await using directory = await scratch();
    await using listener = await startListener({ port: 0, uplink: toBroker(join(directory.path, 'broker.sock')) });
    const response = await fetch(`http://127.0.0.1:${listener.port}/anthropic/v1/messages`, {
      method: 'POST',
      body: 'x'.repeat(MEGABYTE),
    });
    expect(response.status).toBe(502);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({
      error: {
        type: 'doompi_broker',
        code: 'BRIDGE_BROKER_UNREACHABLE',
        message: 'connection refused: the credential broker on the host cannot be reached (ENOENT)',
      },
    });
  });

  it('takes an abort of the client to the broker', async () => {
    const aborted = Promise.withResolvers<void>();
    const broker = createHttpServer((request, response) => {
      response.write('first');
      response.once('close', () => aborted.resolve());
      request.resume();
    });
    await using bridged = await bridgeTo(broker);
    const controller = new AbortController();
    const response = await fetch(`http://127.0.0.1:${bridged.port}/`, { signal: controller.signal });
    await response.body?.getReader().read();
    controller.abort();
    await aborted.promise;
  });

  it('takes a broken broker connection to the client', async () => {
    const broker = createHttpServer((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('first');
      setImmediate(() => response.destroy());
    });
    await using bridged = await bridgeTo(broker);
    await expect(fetch(`http://127.0.0.1:${bridged.port}/`).then(async (response) => response.text())).rejects.toThrow(
      'terminated',
    );
  });

  it('carries 1,500 connections at once', async () => {
    const broker = createServer((socket) => void socket.end('x'));
    await using bridged = await bridgeTo(broker);
    const ask = async (): Promise<string> => {
      const socket = await client(bridged.port);
      socket.end();
      return text(socket);
    };
    const answers = await Promise.all(Array.from({ length: 1500 }, ask));
    expect(answers.filter((answer) => answer === 'x')).toHaveLength(1500);
  });

  it('a burst that overruns the broker’s backlog waits for it', async () => {
    await using directory = await scratch();
    const brokerPath = join(directory.path, 'broker.sock');
    const script = `require('net').createServer((socket) => socket.end('x'))
      .listen({ path: ${JSON.stringify(brokerPath)}, backlog: 1 }, () => console.log('up'));`;
    const broker = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void broker.kill('SIGKILL'));
    await once(broker.stdout, 'data');
    await using listener = await startListener({ port: 0, uplink: toBroker(brokerPath) });
    broker.kill('SIGSTOP');
    const clients = await Promise.all(Array.from({ length: 50 }, async () => client(listener.port)));
    const answers = Promise.all(clients.map(async (socket) => text(socket.end())));
    await delay(200);
    broker.kill('SIGCONT');
    expect(new Set(await answers)).toEqual(new Set(['x']));
  });

  it('disposing ends the connections it carries, half-closed ones included', async () => {
    await using bridged = await bridgeTo(createServer({ allowHalfOpen: true }, (socket) => void socket.resume()));
    const clients = await Promise.all([client(bridged.port), client(bridged.port)]);
    const closed = Promise.all(clients.map(closing));
    clients[1].end('question');
    while (bridged.served.sockets.size < 2) await once(bridged.served.server, 'connection');
    const brokerClosed = Promise.all([...bridged.served.sockets].map(closing));
    await bridged.listener[Symbol.asyncDispose]();
    for (const socket of [...bridged.served.sockets, ...clients]) socket.resume().end();
    await Promise.all([closed, brokerClosed]);
  });

  it('B40: names the port when it is taken', async () => {
    await using directory = await scratch();
    await using first = await startListener({ port: 0, uplink: toBroker(join(directory.path, 'broker.sock')) });
    const error: unknown = await startListener({ port: first.port, uplink: toBroker('x') }).catch((cause: unknown) => cause);
    expect(isBridgeError(error, 'BRIDGE_LISTEN_FAILED') && error.details).toEqual({ port: first.port });
    expect(String(error)).toContain(`127.0.0.1:${first.port} (EADDRINUSE)`);
  });
});
