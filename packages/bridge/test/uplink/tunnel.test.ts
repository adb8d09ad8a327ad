import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import { Readable, type Duplex } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { within } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { startListener } from '../../src/listen.ts';
import { closingOf, dialTo, said, startTunnel, toBrokerOf } from '../helpers/tunnel.ts';

const MEGABYTE = 1024 * 1024;

const digest = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** Writes as fast as it may, and knows how much it could. */
const flood = (connection: Duplex, total: number): { readonly sent: () => number } => {
  const chunk = Buffer.alloc(16 * 1024);
  let sent = 0;
  const write = (): void => {
    while (sent < total && !connection.destroyed) {
      sent += chunk.length;
      if (!connection.write(chunk)) return;
    }
    connection.end();
  };
  connection.on('drain', write);
  write();
  return { sent: () => sent };
};

/** Resolves when a number has stayed the same for 300 ms. */
const settled = async (value: () => number): Promise<number> => {
  for (let before = -1; before !== value();) {
    before = value();
    await delay(300);
  }
  return value();
};

describe('a connection through the tunnel', () => {
  it('carries 5 MB up and 100 MB down unchanged', async () => {
    const up = randomBytes(5 * MEGABYTE);
    const block = randomBytes(MEGABYTE);
    const expected = createHash('sha256');
    for (let index = 0; index < 100; index += 1) expected.update(block);
    const received = Promise.withResolvers<string>();
    const answer = async (connection: Duplex): Promise<void> => {
      received.resolve(digest(await buffer(connection)));
      await pipeline(
        Readable.from(
          (function* blocks() {
            for (let index = 0; index < 100; index += 1) yield block;
          })(),
        ),
        connection,
      );
    };
    const { uplink } = await startTunnel({ broker: (connection) => void answer(connection) });
    const connection = await toBrokerOf(uplink);
    connection.end(up);
    const hash = createHash('sha256');
    for await (const chunk of connection) hash.update(chunk as Buffer);
    expect(await received.promise).toBe(digest(up));
    expect(hash.digest('hex')).toBe(expected.digest('hex'));
  });

  it('B37: half-closed, still carries the rest of the other direction, whichever side ended first', async () => {
    const up = Promise.withResolvers<string>();
    const answer = async (connection: Duplex): Promise<void> => {
      connection.end('early');
      up.resolve(await text(connection));
    };
    const { uplink } = await startTunnel({ broker: (connection) => void answer(connection) });
    const connection = await toBrokerOf(uplink);
    expect(await text(connection)).toBe('early');
    connection.end('x'.repeat(MEGABYTE));
    expect((await up.promise).length).toBe(MEGABYTE);
    expect(await closingOf(connection)).toBeUndefined();
  });

  it('B25: each byte arrives before the next one is sent', async () => {
    const { uplink } = await startTunnel({ broker: (connection) => void connection.pipe(connection) });
    const connection = await toBrokerOf(uplink);
    const start = performance.now();
    for (let index = 0; index < 200; index += 1) {
      connection.write(Buffer.from([index]));
      // Anything that collects bytes on the way waits here for ever.
      const [back] = (await once(connection, 'data')) as [Buffer];
      expect([...back]).toEqual([index]);
    }
    expect(performance.now() - start).toBeLessThan(4000);
    connection.end();
  });

  it.each([
    ['the container', (near: Duplex, _far: Duplex) => near],
    ['the launcher', (_near: Duplex, far: Duplex) => far],
  ])('B26: aborted by %s, is an error on the other side and never an end', async (_who, choose) => {
    const accepted = Promise.withResolvers<Duplex>();
    const { uplink } = await startTunnel({ broker: accepted.resolve });
    const near = await toBrokerOf(uplink);
    const far = await accepted.promise;
    near.write('up');
    far.write('down');
    await Promise.all([once(near, 'data'), once(far, 'data')]);
    const aborting = choose(near, far);
    const other = aborting === near ? far : near;
    let ended = false;
    other.once('end', () => (ended = true));
    const failure = closingOf(other);
    aborting.destroy();
    expect(await within(failure, { timeoutMs: 2000, what: 'the abort to arrive' })).toBeInstanceOf(Error);
    expect(ended).toBe(false);
  });

  it('that the launcher ends before it has read all still delivers what it said', async () => {
    const answer = Buffer.alloc(200 * 1024, 'a');
    const { uplink } = await startTunnel({
      broker: (connection) => {
        connection.once('data', () => {
          connection.pause().end(answer, () => connection.destroy());
        });
      },
    });
    const connection = await toBrokerOf(uplink);
    connection.on('error', () => {});
    connection.write(Buffer.alloc(8 * MEGABYTE));
    // This is time itself: the reset is to be here before anything is read.
    await delay(300);
    const read: Buffer[] = [];
    connection.on('data', (chunk: Buffer) => read.push(chunk));
    await closingOf(connection);
    expect(Buffer.concat(read).equals(answer)).toBe(true);
  });

  it('that the launcher does not serve is refused, and the tunnel goes on', async () => {
    const { uplink } = await startTunnel({ lifeline: (connection) => void connection.resume() });
    await expect(toBrokerOf(uplink)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect((await uplink.connect('lifeline', { patienceMs: 1000 })).destroyed).toBe(false);
  });
});

describe('many connections through the tunnel', () => {
  it('200 requests at once are all answered', async () => {
    const broker = createServer((_request, response) => void response.end('answer'));
    const { uplink } = await startTunnel({ broker: (connection) => void broker.emit('connection', connection) });
    await using listener = await startListener({ port: 0, uplink });
    const ask = async (): Promise<string> =>
      new Promise((resolve, reject) => {
        httpRequest({ port: listener.port, host: '127.0.0.1', agent: false })
          .on('response', (response) => resolve(text(response)))
          .on('error', reject)
          .end();
      });
    const answers = await Promise.all(Array.from({ length: 200 }, ask));
    expect(new Set(answers)).toEqual(new Set(['answer']));
  });

  it('1,500 that stay open do not keep the next one out', async () => {
    const { uplink } = await startTunnel({ broker: (connection) => void connection.pipe(connection) });
    const open = await Promise.all(Array.from({ length: 1500 }, async () => toBrokerOf(uplink)));
    const next = await toBrokerOf(uplink);
    next.end('through');
    expect(await text(next)).toBe('through');
    for (const connection of open) connection.destroy();
  });

  it('B27: a reader that is slow holds back its own sender, and nobody else', async () => {
    const floods: { readonly sent: () => number }[] = [];
    const { uplink } = await startTunnel({
      broker: (connection) => {
        connection.once('data', (first: Buffer) => {
          if (first.toString() === 'flood') floods.push(flood(connection, 64 * MEGABYTE));
          else connection.end('swift');
        });
      },
    });
    const slow = await toBrokerOf(uplink);
    slow.write('flood');
    // It reads for a moment, and then no more.
    const [first] = (await once(slow, 'data')) as [Buffer];
    slow.pause();
    // Window, and buffers of both ends.
    expect(await settled(() => floods[0]?.sent() ?? 0)).toBeLessThan(MEGABYTE);
    const other = await toBrokerOf(uplink);
    other.write('ask');
    expect(await text(other)).toBe('swift');
    slow.end();
    expect(first.length + (await buffer(slow)).length).toBe(64 * MEGABYTE);
  });

  it('a tunnel that stands still holds back all senders together', async () => {
    const floods: { readonly sent: () => number }[] = [];
    const { uplink, child } = await startTunnel({
      broker: (connection) => {
        connection.resume();
        floods.push(flood(connection, 4 * MEGABYTE));
      },
    });
    const readers = await Promise.all(Array.from({ length: 32 }, async () => toBrokerOf(uplink)));
    child.kill('SIGSTOP');
    const received = Promise.all(readers.map(async (reader) => (await buffer(reader)).length));
    for (const reader of readers) reader.end();
    const sent = await settled(() => floods.reduce((sum, each) => sum + each.sent(), 0));
    // The window of all connections together, and 32 times the buffers of one.
    expect(sent).toBeLessThan(16 * MEGABYTE);
    child.kill('SIGCONT');
    expect(new Set(await received)).toEqual(new Set([4 * MEGABYTE]));
  });
});

describe('the tunnel itself', () => {
  it('S12: its socket is for its own user only', async () => {
    const { path } = await startTunnel({});
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('that is lost ends its connections with an error, and is used again when the launcher dials again', async () => {
    const channels = { broker: (connection: Duplex) => void connection.pipe(connection) };
    const { uplink, child, path } = await startTunnel(channels);
    const connection = await toBrokerOf(uplink);
    const failure = closingOf(connection);
    child.kill('SIGKILL');
    expect(await failure).toMatchObject({ code: 'ECONNRESET' });
    const waiting = toBrokerOf(uplink);
    await dialTo(path, channels);
    const healed = await waiting;
    healed.end('again');
    expect(await text(healed)).toBe('again');
  });

  it('that is not dialled is given up after the time that the caller has', async () => {
    const { uplink, child } = await startTunnel({});
    child.kill('SIGKILL');
    await said(child);
    await expect(uplink.connect('broker', { patienceMs: 200 })).rejects.toMatchObject({ code: 'NOT_DIALLED' });
    await expect(uplink.connect('broker', { patienceMs: 5000, signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout');
  });

  it('ends, and the dialled program with it', async () => {
    const { uplink, child } = await startTunnel({ lifeline: (connection) => void connection.resume() });
    await uplink.connect('lifeline', { patienceMs: 5000 });
    await uplink[Symbol.asyncDispose]();
    expect(await within(said(child), { timeoutMs: 5000, what: 'the dialled program to end' })).toBe(0);
  });
});
