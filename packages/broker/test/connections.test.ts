import { once } from 'node:events';
import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { everywhere, startTestBroker, type TestBroker } from './support/broker.ts';
import { call, connectRaw, head } from './support/client.ts';
import { startRawUpstream, startUpstream } from './support/upstream.ts';

const MESSAGES = '/anthropic/v1/messages';
const MIB = 1024 * 1024;

describe('connections to upstreams', () => {
  it('B28: a POST whose reused connection dies unanswered is never sent again', async () => {
    let posts = 0;
    const upstream = await startRawUpstream((socket) => {
      posts += 1;
      // The second request on a connection is taken, and the connection dies.
      if (posts === 2) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    });
    const broker = await startTestBroker(everywhere(upstream.url));
    const send = async (): Promise<number> =>
      (await call({ path: broker.path, target: MESSAGES, headers: { 'x-api-key': broker.token() } })).status;
    expect([await send(), await send(), await send()]).toEqual([200, 502, 200]);
    expect(posts).toBe(3);
  });

  it('B28: connections that an upstream closes while idle cost no request', async () => {
    let posts = 0;
    const idle: Socket[] = [];
    const upstream = await startRawUpstream((socket) => {
      posts += 1;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
      idle.push(socket);
    });
    const broker = await startTestBroker(everywhere(upstream.url));
    for (let index = 0; index < 60; index += 1) {
      const answer = await call({ path: broker.path, target: MESSAGES, headers: { 'x-api-key': broker.token() } });
      expect(answer.status).toBe(200);
      // Closed without notice; the next request is made at once, when the broker may not have seen it yet.
      const closing = idle.pop();
      closing?.end();
      if (closing && index % 2 === 0) await once(closing, 'close');
    }
    expect(posts).toBe(60);
  });

  it('reuses a connection', async () => {
    const upstream = await startUpstream();
    let connections = 0;
    upstream.server.on('connection', () => (connections += 1));
    const broker = await startTestBroker(everywhere(upstream.url));
    for (let index = 0; index < 5; index += 1)
      await call({ path: broker.path, target: MESSAGES, headers: { 'x-api-key': broker.token() }, body: '{}' });
    expect(connections).toBe(1);
  });

  it.each([
    ['nobody listens', 'http://127.0.0.1:1', 502, 'upstream_unreachable'],
    ['the name does not exist', 'https://nowhere.invalid', 503, 'upstream_unresolved'],
  ])('answers when %s', async (_name, url, status, code) => {
    const broker = await startTestBroker(everywhere(url));
    const answer = await call({ path: broker.path, target: MESSAGES, headers: { 'x-api-key': broker.token() }, body: '{}' });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { type: 'doompi_broker', code } });
  });

  it('closes everything: no handle keeps the process alive, and the socket file is gone', async () => {
    const upstream = await startUpstream((_request, response) => void response.write('x'));
    const broker = await startTestBroker(everywhere(upstream.url));
    const idle = await connectRaw(broker.path);
    const busy = await connectRaw(broker.path);
    const arrived = once(upstream.server, 'request');
    busy.send(head(`POST ${MESSAGES}`, [`X-Api-Key: ${broker.token()}`, 'Content-Length: 0']));
    const [, response] = await arrived;
    const cut = once(response, 'close');
    await Promise.all([broker.broker.close(), broker.broker.close()]);
    await Promise.all([idle.ended, busy.ended, cut]);
    await expect(connectRaw(broker.path)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('Expect: 100-continue', () => {
  const upload = async (broker: TestBroker): Promise<string> => {
    const client = await connectRaw(broker.path);
    client.send(
      head(`POST ${MESSAGES}`, [
        `X-Api-Key: ${broker.token()}`,
        `Content-Length: ${2 * MIB}`,
        'Expect: 100-continue',
        'Connection: close',
      ]),
    );
    await client.until(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
    client.send('a'.repeat(2 * MIB));
    return client.ended;
  };

  it.each(['that answers 100', 'that ignores the header'])('B31: an upload to an upstream %s finishes', async (kind) => {
    const upstream = await startUpstream((request, response) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => response.end(`got ${bytes}`));
    });
    if (kind === 'that answers 100')
      upstream.server.on('checkContinue', (request, response) => {
        response.writeContinue();
        upstream.server.emit('request', request, response);
      });
    const broker = await startTestBroker(everywhere(upstream.url));
    expect(await upload(broker)).toMatch(new RegExp(`200 OK[^]*got ${2 * MIB}`));
    expect(upstream.seen[0]?.headers.expect).toBeUndefined();
  });

  it('B31: an upstream that refuses at once is heard', async () => {
    const upstream = await startUpstream((_request, response) => response.writeHead(401).end('no such key'));
    const broker = await startTestBroker(everywhere(upstream.url));
    expect(await upload(broker)).toMatch(/401[^]*no such key/);
  });

  it('B31: a refused request is answered without 100 Continue, and its connection ends', async () => {
    const broker = await startTestBroker();
    const client = await connectRaw(broker.path);
    client.send(head(`POST ${MESSAGES}`, ['X-Api-Key: wrong', 'Content-Length: 5', 'Expect: 100-continue']));
    const answer = await client.ended;
    expect(answer).toMatch(/^HTTP\/1\.1 401/);
    expect(answer).not.toContain('100 Continue');
  });
});

describe('connections of clients', () => {
  it('B34: an idle connection outlives the pools of clients, and its limit is announced', async () => {
    const upstream = await startUpstream();
    const broker = await startTestBroker(everywhere(upstream.url));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const options = { path: broker.path, target: MESSAGES, headers: { 'x-api-key': broker.token() }, agent };
    const first = await call(options);
    const sockets = Object.values(agent.freeSockets).flat();
    expect(sockets).toHaveLength(1);
    const announced = Number(/timeout=(\d+)/.exec(String(first.headers['keep-alive']))?.[1]);
    expect(announced).toBeGreaterThan(300);
    // Node's servers close after 5 s by default; this is time itself, not a wait for something.
    const closed = once(sockets[0] as Socket, 'close').then(() => 'closed');
    expect(await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 6500, 'open'))])).toBe('open');
    expect((await call(options)).status).toBe(200);
    agent.destroy();
  });
});
