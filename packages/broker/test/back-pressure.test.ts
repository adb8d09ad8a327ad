import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { everywhere, startTestBroker, type TestBroker } from './support/broker.ts';
import { call, connectRaw, head } from './support/client.ts';
import { startUpstream } from './support/upstream.ts';

const MESSAGES = '/anthropic/api.anthropic.com/v1/messages?beta=true';

const post = (broker: TestBroker): string =>
  `${head(`POST ${MESSAGES}`, [`X-Api-Key: ${broker.token()}`, 'Content-Length: 2'])}{}`;

/** The value at which a counter has stopped for a second: the sender waits for us. */
const settled = async (counter: () => number): Promise<number> => {
  let last = 0;
  for (let calm = 0; calm < 10; calm += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    if (counter() !== last) calm = -1;
    last = counter();
  }
  return last;
};

describe('back-pressure', () => {
  const MIB = 1024 * 1024;

  it('B27: a client that does not read stops the upstream, and gets every byte later', async () => {
    // Small pieces: on a slow machine too, one more is sent within any second in which the upstream may send.
    const block = Buffer.alloc(MIB / 16, 'abcdefghijklm');
    const total = 48 * 16;
    let sent = 0;
    const offer = async (response: ServerResponse): Promise<void> => {
      for (; sent < total; sent += 1) if (!response.write(block)) await once(response, 'drain');
      response.end();
    };
    const upstream = await startUpstream((_request, response) => void offer(response));
    const broker = await startTestBroker(everywhere(upstream.url));
    const request = httpRequest({
      socketPath: broker.path,
      path: MESSAGES,
      method: 'POST',
      headers: { host: '127.0.0.1', 'x-api-key': broker.token() },
    });
    request.end('{}');
    const [response] = await once(request, 'response');
    expect(await settled(() => sent)).toBeLessThan(total / 2);
    const hash = createHash('sha256');
    for await (const chunk of response) hash.update(chunk as Buffer);
    const expected = createHash('sha256');
    for (let index = 0; index < total; index += 1) expected.update(block);
    expect(hash.digest('hex')).toBe(expected.digest('hex'));
  });

  it.each([
    ['chunked', undefined],
    ['with Content-Length', 24 * MIB],
  ])('B33: an upload %s waits for its reader and arrives whole, framed as it was', async (_name, length) => {
    const block = Buffer.alloc(MIB, 'nopqrstuvwxyz');
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let digest = '';
    const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      await gate;
      const hash = createHash('sha256');
      for await (const chunk of request) hash.update(chunk as Buffer);
      digest = hash.digest('hex');
      response.end('{}');
    };
    const upstream = await startUpstream((request, response) => void take(request.pause(), response));
    const broker = await startTestBroker(everywhere(upstream.url));
    const request = httpRequest({
      socketPath: broker.path,
      path: MESSAGES,
      method: 'POST',
      headers: {
        host: '127.0.0.1',
        'x-api-key': broker.token(),
        ...(length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }),
      },
    });
    const answered = once(request, 'response');
    let sent = 0;
    const uploading = (async () => {
      for (let index = 0; index < 24; index += 1) {
        sent += 1;
        if (!request.write(block)) await once(request, 'drain');
      }
      request.end();
    })();
    expect(await settled(() => sent)).toBeLessThan(20);
    open();
    await uploading;
    const [response] = await answered;
    response.resume();
    expect(response.statusCode).toBe(200);
    const expected = createHash('sha256');
    for (let index = 0; index < 24; index += 1) expected.update(block);
    expect(digest).toBe(expected.digest('hex'));
    const [seen] = upstream.seen;
    expect(seen?.headers['content-length']).toBe(length === undefined ? undefined : String(length));
    expect(seen?.headers['transfer-encoding']).toBe(length === undefined ? 'chunked' : undefined);
  });

  it('B33: an answer before the end of the upload reaches the client, whose connection goes on', async () => {
    const upstream = await startUpstream((request, response) => {
      if (request.url?.includes('count_tokens')) request.resume().on('end', () => response.end('second'));
      else response.writeHead(413, { 'content-length': 5 }).end('first');
    });
    const broker = await startTestBroker(everywhere(upstream.url));
    const client = await connectRaw(broker.path);
    const big = 2 * MIB;
    client.send(head(`POST ${MESSAGES}`, [`X-Api-Key: ${broker.token()}`, `Content-Length: ${big}`]));
    client.send('a'.repeat(big / 2));
    await client.until(/413[^]*first/);
    client.send('a'.repeat(big / 2));
    client.send(post(broker).replace('/v1/messages?', '/v1/messages/count_tokens?'));
    expect(await client.until(/second/)).toMatch(/413[^]*200 OK/);
  });
});

describe('small bodies', () => {
  it('keeps Content-Length, and sends none where there was none', async () => {
    const upstream = await startUpstream();
    const broker = await startTestBroker(everywhere(upstream.url));
    const headers = { 'x-api-key': broker.token() };
    await call({ path: broker.path, target: MESSAGES, headers, body: '{"a":1}' });
    await call({ path: broker.path, target: '/anthropic/v1/models', method: 'GET', headers });
    expect(
      upstream.seen.map(({ headers: { 'content-length': length, 'transfer-encoding': coding } }) => [length, coding]),
    ).toEqual([
      ['7', undefined],
      [undefined, undefined],
    ]);
  });
});
