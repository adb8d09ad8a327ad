import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { everywhere, startTestBroker } from './support/broker.ts';
import { call, connectRaw, head } from './support/client.ts';
import { startRawUpstream, startUpstream } from './support/upstream.ts';

const MESSAGES = '/anthropic/v1/messages';

describe('answers of upstreams', () => {
  it.each([301, 302, 303, 307, 308, 300, 399])('S19: a %i is a 502, and goes nowhere', async (status) => {
    const elsewhere = await startUpstream();
    const upstream = await startUpstream((_request, response) =>
      response.writeHead(status, { location: elsewhere.url }).end('moved'),
    );
    const broker = await startTestBroker(everywhere(upstream.url));
    const answer = await call({ path: broker.path, target: MESSAGES, headers: { 'x-api-key': broker.token() }, body: '{}' });
    expect(answer.status).toBe(502);
    expect(answer.body).toContain('upstream_redirect');
    expect(answer.headers.location).toBeUndefined();
    expect(elsewhere.seen).toEqual([]);
    expect(upstream.seen).toHaveLength(1);
  });

  it('S19: cookies, ways to other hosts, permissions for pages and connection headers stay behind', async () => {
    const upstream = await startUpstream((_request, response) => {
      response.writeHead(200, {
        'set-cookie': ['a=b', 'c=d'],
        location: 'https://evil.test',
        refresh: '0; url=https://evil.test',
        'alt-svc': 'h3=":443"',
        link: '<https://evil.test>; rel=preload',
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
        connection: 'keep-alive, x-secret',
        'x-secret': '1',
        'proxy-authenticate': 'Basic',
        trailer: 'x-t',
        'request-id': 'r1',
        'retry-after': '6',
        'content-type': 'application/json',
      });
      response.write('{}');
      response.addTrailers({ 'x-t': '1' });
      response.end();
    });
    const broker = await startTestBroker(everywhere(upstream.url));
    const answer = await call({ path: broker.path, target: MESSAGES, headers: { 'x-api-key': broker.token() } });
    expect(Object.keys(answer.headers).toSorted()).toEqual(
      ['connection', 'content-type', 'date', 'request-id', 'retry-after', 'transfer-encoding'].toSorted(),
    );
    expect(answer.headers.connection).toBe('close');
  });

  it('S19: interim answers are not relayed, and their headers neither', async () => {
    const upstream = await startRawUpstream((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: <https://evil.test>; rel=preload\r\n\r\n');
      socket.write('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Last: 1\r\n\r\n{}');
    });
    const broker = await startTestBroker(everywhere(upstream.url));
    const client = await connectRaw(broker.path);
    client.send(head(`POST ${MESSAGES}`, [`X-Api-Key: ${broker.token()}`, 'Content-Length: 0']));
    const answer = await client.until(/\{\}$/);
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    expect(answer).not.toMatch(/evil|10[23] /);
  });

  it.each([
    ['switches protocols unasked', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nframes'],
    ['has both framings', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['has two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x'],
    ['has a bare CR in a header', 'HTTP/1.1 200 OK\r\nX-A: b\rSet-Cookie: c=d\r\nContent-Length: 0\r\n\r\n'],
    ['has a NUL in a header', 'HTTP/1.1 200 OK\r\nX-A: b\0c\r\nContent-Length: 0\r\n\r\n'],
    ['has a head without end', `HTTP/1.1 200 OK\r\nX-A: ${'b'.repeat(100_000)}`],
    ['is not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ])('S19: an answer that %s is a 502, and no byte of it is relayed', async (_name, bytes) => {
    const upstream = await startRawUpstream((socket) => void socket.write(bytes));
    const broker = await startTestBroker(everywhere(upstream.url));
    const answer = await call({ path: broker.path, target: MESSAGES, headers: { 'x-api-key': broker.token() } });
    expect(answer.status).toBe(502);
    expect(answer.body).toMatch(/"upstream_(?:invalid|lost)"/);
    expect(Object.keys(answer.headers).toSorted()).toEqual(['connection', 'content-length', 'content-type', 'date']);
  });

  it('S19: bytes after an answer are not taken for the next one', async () => {
    let posts = 0;
    const upstream = await startRawUpstream((socket) => {
      posts += 1;
      const extra = posts === 1 ? 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison' : '';
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}${extra}`);
    });
    const broker = await startTestBroker(everywhere(upstream.url));
    const send = async (): Promise<string> =>
      (await call({ path: broker.path, target: MESSAGES, headers: { 'x-api-key': broker.token() } })).body;
    expect([await send(), await send()]).toEqual(['{}', '{}']);
  });

  it('relays status, body and errors as they are', async () => {
    const upstream = await startUpstream((_request, response) =>
      response.writeHead(529, 'Overloaded', { 'content-type': 'application/json' }).end('{"error":"overloaded"}'),
    );
    const broker = await startTestBroker(everywhere(upstream.url));
    const answer = await call({ path: broker.path, target: MESSAGES, headers: { 'x-api-key': broker.token() } });
    expect([answer.status, answer.body]).toEqual([529, '{"error":"overloaded"}']);
  });

  it('names no host or address of the machine to the upstream', async () => {
    const upstream = await startUpstream();
    const broker = await startTestBroker(everywhere(upstream.url));
    const forwarded = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'x-original-url', 'x-http-method-override'];
    const arrived = once(upstream.server, 'request');
    await call({
      path: broker.path,
      target: '/anthropic/api.anthropic.com/v1/messages',
      headers: {
        'x-api-key': broker.token(),
        ...Object.fromEntries(forwarded.map((name) => [name, '/evil'])),
        'user-agent': 'pi/1.6.0',
      },
    });
    await arrived;
    const [seen] = upstream.seen;
    expect(Object.keys(seen?.headers ?? {}).toSorted()).toEqual([
      'connection',
      'content-length',
      'host',
      'user-agent',
      'x-api-key',
    ]);
    expect(seen?.headers.host).toBe(`127.0.0.1:${upstream.port}`);
  });
});
