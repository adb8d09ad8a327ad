import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startModelServer, testCertificates, type ModelServerOptions } from '../src/index.ts';

/* oxlint-disable typescript/no-explicit-any -- the provider's answers are read as its clients do */

const KEY = 'sk-real-0123456789';

const start = (options: Partial<ModelServerOptions> = {}) => startModelServer({ key: KEY, ...options });

interface Shape {
  readonly api: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
  /** Text of one parsed event. */
  readonly text: (event: any) => string | undefined;
  readonly whole: (body: any) => string;
  readonly last: string;
}

const SHAPES: readonly Shape[] = [
  {
    api: 'anthropic-messages',
    path: '/v1/messages?beta=true',
    headers: { 'x-api-key': KEY },
    body: { model: 'claude', messages: [{ role: 'user', content: [{ type: 'text', text: 'say it' }] }] },
    text: (event) => event.delta?.text,
    whole: (body) => body.content[0].text,
    last: 'message_stop',
  },
  {
    api: 'openai-completions',
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${KEY}` },
    body: { model: 'gpt', messages: [{ role: 'user', content: 'say it' }] },
    text: (event) => event.choices[0]?.delta?.content,
    whole: (body) => body.choices[0].message.content,
    last: '[DONE]',
  },
  {
    api: 'openai-responses',
    path: '/v1/responses',
    headers: { authorization: `Bearer ${KEY}` },
    body: { model: 'gpt', input: [{ role: 'user', content: [{ type: 'input_text', text: 'say it' }] }] },
    text: (event) => event.delta,
    whole: (body) => body.output[0].content[0].text,
    last: 'response.completed',
  },
];

const post = (url: string, body: unknown, headers: Record<string, string>): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    redirect: 'manual',
  });

const dataOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice(6));

describe.each(SHAPES)('$api', (shape) => {
  it('streams the answer word by word, with usage, to its natural end', async () => {
    await using server = await start({ answer: 'one two three' });
    const response = await post(server.url + shape.path, { ...shape.body, stream: true }, shape.headers);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const body = await response.text();
    const events = dataOf(body);
    const words = events.filter((data) => data !== '[DONE]').map((data) => shape.text(JSON.parse(data)));
    expect(words.filter(Boolean)).toEqual(['one ', 'two ', 'three']);
    expect(events.at(-1)).toContain(shape.last);
    expect(body).toMatch(/"(output|completion)_tokens":3/);
    expect(server.requests).toMatchObject([{ api: shape.api, method: 'POST', path: shape.path, status: 200 }]);
    expect(server.requests[0]?.credentials).toEqual([{ slot: Object.keys(shape.headers)[0], isRealKey: true }]);
  });

  it('answers whole when no stream is asked for, to the words of the prompt', async () => {
    await using server = await start({ answer: (prompt) => `heard ${prompt}` });
    const response = await post(server.url + shape.path, shape.body, shape.headers);
    expect(shape.whole(await response.json())).toBe('heard say it');
  });

  it('refuses any other key in the words of the provider, and reports that it was not the real one', async () => {
    await using server = await start();
    const wrong = Object.fromEntries(Object.entries(shape.headers).map(([name, value]) => [name, `${value}x`]));
    for (const headers of [wrong, {}]) {
      const response = await post(server.url + shape.path, { ...shape.body, stream: true }, headers);
      expect(response.status).toBe(401);
      expect(await response.json()).toHaveProperty('error.message');
    }
    expect(server.requests[0]?.credentials).toMatchObject([{ isRealKey: false }]);
    expect(server.requests[1]?.credentials).toEqual([]);
  });
});

describe('every API', () => {
  const anthropic = SHAPES[0] as Shape;
  const ask = (url: string, headers: Record<string, string> = anthropic.headers): Promise<Response> =>
    post(url + anthropic.path, { ...anthropic.body, stream: true }, headers);

  it('speaks Google Generative AI', async () => {
    await using server = await start({ answer: 'one two' });
    const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
    const url = `${server.url}/v1beta/models/gemini-x:streamGenerateContent?alt=sse`;
    const response = await post(url, body, { 'x-goog-api-key': KEY });
    const events = dataOf(await response.text()).map((data) => JSON.parse(data));
    expect(events.map((event) => event.candidates[0].content.parts[0].text).join('')).toBe('one two');
    expect(events.at(-1).candidates[0].finishReason).toBe('STOP');
  });

  it('refuses the right key in the wrong header', async () => {
    await using server = await start();
    expect((await ask(server.url, { authorization: `Bearer ${KEY}` })).status).toBe(401);
  });

  it('records no credential value, and says where else the key stood', async () => {
    await using server = await start();
    await (await ask(server.url, { ...anthropic.headers, 'x-copy': KEY })).text();
    await (await ask(server.url)).text();
    expect(server.requests.map((request) => request.realKeyElsewhere)).toEqual([true, false]);
    expect(JSON.stringify(server.requests[1])).not.toContain(KEY);
  });

  it('answers with the status, headers and redirect it was told', async () => {
    await using server = await start({
      behave: (_request, index) =>
        [
          { status: 429, headers: { 'retry-after': '6' } },
          { redirect: 'http://example.invalid/' },
          { errorBody: '<x>', status: 502 },
        ][index],
    });
    const limited = await ask(server.url);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '6']);
    expect(await limited.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
    const moved = await ask(server.url);
    expect([moved.status, moved.headers.get('location')]).toEqual([302, 'http://example.invalid/']);
    expect(await (await ask(server.url)).text()).toBe('<x>');
    expect((await ask(server.url)).status).toBe(200);
  });

  it('paces its tokens', async () => {
    await using server = await start({ answer: 'a b c', delayMs: 60 });
    const started = performance.now();
    await (await ask(server.url)).text();
    expect(performance.now() - started).toBeGreaterThan(110);
  });

  it.each(['reset', 'truncate'] as const)('dies mid-stream by %s', async (how) => {
    await using server = await start({ answer: 'a b c', death: { afterTokens: 1, how } });
    const response = await ask(server.url);
    await expect(response.text()).rejects.toThrow();
    expect((await server.settled()).outcome).toBe('died');
  });

  it('ends a stream cleanly without its last events', async () => {
    await using server = await start({ answer: 'a b c', death: { afterTokens: 2, how: 'end' } });
    const text = await (await ask(server.url)).text();
    expect(text).toContain('b ');
    expect(text).not.toContain('message_stop');
  });

  it('sees a client that goes away while the stream stalls', async () => {
    await using server = await start({ answer: 'a b c', death: { afterTokens: 1, how: 'stall' } });
    const response = await ask(server.url);
    await response.body?.cancel();
    expect((await server.settled()).outcome).toBe('aborted');
  });

  it('counts connections that send nothing', async () => {
    await using server = await start();
    const socket = connect(server.port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.destroy();
    expect(await ask(server.url).then((response) => response.text())).not.toBe('');
    expect(server.connections).toBe(2);
    expect(server.requests).toHaveLength(1);
  });

  it('answers 404 elsewhere and records it', async () => {
    await using server = await start();
    expect((await fetch(`${server.url}/v1/files?key=${KEY}`)).status).toBe(404);
    expect(server.requests[0]).toMatchObject({ api: undefined, credentials: [{ slot: 'query', isRealKey: true }] });
    expect(JSON.stringify(server.requests)).not.toContain(KEY);
  });

  it('speaks https with a certificate of a private CA', async () => {
    await using certificates = await testCertificates();
    await using server = await start({ tls: certificates });
    const { request } = await import('node:https');
    const status = await new Promise((resolve, reject) => {
      const options = { ca: certificates.ca, port: server.port, host: '127.0.0.1' };
      request(options, (response) => resolve(response.resume().statusCode))
        .once('error', reject)
        .end();
    });
    expect(status).toBe(404);
    const untrusted = new Promise((resolve, reject) => {
      request({ port: server.port, host: '127.0.0.1', ca: [] }, resolve).once('error', reject).end();
    });
    await expect(untrusted).rejects.toThrow(/certificate/);
  });
});
