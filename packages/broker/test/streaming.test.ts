import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { everywhere, startTestBroker, type TestBroker } from './support/broker.ts';
import { connectRaw, head } from './support/client.ts';
import { startRawUpstream, startUpstream } from './support/upstream.ts';

const MESSAGES = '/anthropic/api.anthropic.com/v1/messages?beta=true';

const post = (broker: TestBroker, extra: readonly string[] = ['Content-Length: 2']): string =>
  `${head(`POST ${MESSAGES}`, [`X-Api-Key: ${broker.token()}`, ...extra])}{}`;

/** Content of a complete chunked body. */
const dechunk = (body: string): string => {
  let content = '';
  for (let rest = body; ;) {
    const line = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.slice(0, line), 16);
    if (size === 0) return content;
    content += rest.slice(line + 2, line + 2 + size);
    rest = rest.slice(line + 2 + size + 2);
  }
};

describe('event streams', () => {
  it('B25: each event reaches the client before the next one is sent', async () => {
    const events = ['data: 1\r\n\r\n', ': comment\n\n', 'event: x\ndata: a\ndata: b\n\n', 'data: é\n\n', 'data: last\n\n'];
    let stream: ServerResponse | undefined;
    const upstream = await startUpstream((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      stream = response;
    });
    const broker = await startTestBroker(everywhere(upstream.url));
    const client = await connectRaw(broker.path);
    client.send(post(broker));
    // The upstream sends nothing further until the client has all of what it sent: a held back byte is a deadlock.
    const answer = await client.until(/\r\n\r\n/);
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    expect(answer.toLowerCase()).not.toContain('content-length');
    for (const event of events) {
      const bytes = Buffer.from(event).toString('latin1');
      const seen = client.received().length;
      stream?.write(event);
      await client.until(new RegExp(`^[^]{${seen}}[^]*${bytes.replaceAll(/[[\]\\^$.|?*+()]/g, '\\$&')}`));
    }
    stream?.end();
    const whole = await client.until(/\r\n0\r\n\r\n$/);
    expect(dechunk(whole.slice(whole.indexOf('\r\n\r\n') + 4))).toBe(Buffer.from(events.join('')).toString('latin1'));
  });
});

describe('either side ends early', () => {
  const goneWithin = async (gone: Promise<unknown>, leave: () => unknown): Promise<number> => {
    const started = performance.now();
    leave();
    await gone;
    return performance.now() - started;
  };

  it('B26: a client that leaves before the answer ends the upstream call', async () => {
    const upstream = await startUpstream(() => undefined);
    const broker = await startTestBroker(everywhere(upstream.url));
    const client = await connectRaw(broker.path);
    const arrived = once(upstream.server, 'request');
    client.send(post(broker));
    const [, response] = await arrived;
    expect(await goneWithin(once(response, 'close'), () => client.socket.destroy())).toBeLessThan(1000);
  });

  it('B26: a client that leaves mid-stream ends the upstream call', async () => {
    const upstream = await startUpstream((_request, response) => void response.write('data: 1\n\n'));
    const broker = await startTestBroker(everywhere(upstream.url));
    const client = await connectRaw(broker.path);
    const arrived = once(upstream.server, 'request');
    client.send(post(broker));
    const [, response] = await arrived;
    await client.until(/data: 1/);
    expect(await goneWithin(once(response, 'close'), () => client.socket.destroy())).toBeLessThan(1000);
  });

  it('B26: a client that leaves in the middle of its upload ends the upstream call', async () => {
    const upstream = await startUpstream((request) => void request.resume());
    const broker = await startTestBroker(everywhere(upstream.url));
    const client = await connectRaw(broker.path);
    const arrived = once(upstream.server, 'request');
    client.send(post(broker, ['Transfer-Encoding: chunked']).replace(/\{\}$/, '5\r\nhello\r\n'));
    const [, response] = await arrived;
    expect(await goneWithin(once(response, 'close'), () => client.socket.destroy())).toBeLessThan(1000);
  });

  it('B26: a closed session ends its streams on both sides, and no other session', async () => {
    const upstream = await startUpstream((_request, response) => void response.write('data: 1\n\n'));
    const broker = await startTestBroker(everywhere(upstream.url));
    const client = await connectRaw(broker.path);
    const arrived = once(upstream.server, 'request');
    client.send(post(broker));
    const [, response] = await arrived;
    await client.until(/data: 1/);
    const closed = once(response, 'close');
    await broker.session.close();
    await closed;
    expect(await client.ended).not.toMatch(/\r\n0\r\n\r\n$/);
  });

  it('B26: a client that leaves ends its pipelined calls too', async () => {
    const closed: Promise<unknown>[] = [];
    const upstream = await startUpstream((_request, response) => void closed.push(once(response, 'close')));
    const broker = await startTestBroker(everywhere(upstream.url));
    const client = await connectRaw(broker.path);
    client.send(post(broker) + post(broker));
    while (closed.length < 2) await once(upstream.server, 'request');
    client.socket.destroy();
    await Promise.all(closed);
  });

  it('B26: 150 abandoned calls leave nothing open', async () => {
    const upstream = await startUpstream((_request, response) => void response.write('x'));
    const broker = await startTestBroker(everywhere(upstream.url));
    for (let index = 0; index < 150; index += 1) {
      const client = await connectRaw(broker.path);
      const arrived = once(upstream.server, 'request');
      client.send(post(broker));
      const [, response] = await arrived;
      const closed = once(response, 'close');
      client.socket.destroy();
      await closed;
    }
    const open = await new Promise((resolve) => void upstream.server.getConnections((_error, count) => resolve(count)));
    expect(open).toBe(0);
  });

  const deaths: readonly [string, string][] = [
    ['chunked', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'],
    ['of known length', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello'],
  ];
  it.each(deaths)(
    'B26: an upstream that dies in an answer %s cuts the client off, and never looks complete',
    async (_name, bytes) => {
      const upstream = await startRawUpstream((socket) => void socket.write(bytes));
      const broker = await startTestBroker(everywhere(upstream.url));
      const client = await connectRaw(broker.path);
      client.send(post(broker));
      await client.until(/hello/);
      for (const socket of upstream.sockets) socket.destroy();
      expect(await client.ended).not.toMatch(/\r\n0\r\n\r\n$/);
    },
  );
});
