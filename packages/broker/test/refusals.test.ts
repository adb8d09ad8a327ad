import { isRetryableAssistantError } from '@earendil-works/pi-ai/utils/retry';
import { describe, expect, it } from 'vitest';
import { findCredentials } from '../src/index.ts';
import { REFUSAL_STATUS, refusalBody, type RefusalCode } from '../src/refusal.ts';
import { everywhere, OTHER_KEY, REAL_KEY, startTestBroker } from './support/broker.ts';
import { call, connectRaw, head } from './support/client.ts';
import { startUpstream } from './support/upstream.ts';

const MESSAGES = '/anthropic/v1/messages';
const errorOf = (body: string): string => (JSON.parse(body) as { error: { code: string } }).error.code;

describe('tokens', () => {
  it('S08: a token opens its own providers, paths and methods, for as long as its session lives', async () => {
    const upstream = await startUpstream();
    const broker = await startTestBroker(everywhere(upstream.url));
    const other = broker.broker.openSession({ id: 'other', credentials: findCredentials({ ANTHROPIC_API_KEY: OTHER_KEY }) });
    const anthropic = broker.token();
    const openai = broker.token('OPENAI_API_KEY');
    const attempt = async (token: string, target: string, method = 'POST'): Promise<string> => {
      const { status, body } = await call({ path: broker.path, target, method, headers: { authorization: `Bearer ${token}` } });
      return status === 200 ? 'ok' : `${status} ${errorOf(body)}`;
    };
    expect(await attempt(anthropic, MESSAGES)).toBe('ok');
    expect(await attempt(openai, '/openai/responses')).toBe('ok');
    expect(await attempt(other?.environment['ANTHROPIC_API_KEY'] ?? '', MESSAGES)).toBe('ok');
    expect(upstream.seen.map(({ headers }) => headers['x-api-key'] ?? headers.authorization)).toEqual([
      REAL_KEY,
      `Bearer ${OTHER_KEY}`,
      OTHER_KEY,
    ]);

    expect(await attempt(anthropic, '/openai/responses')).toBe('403 provider_not_granted');
    expect(await attempt(openai, MESSAGES)).toBe('403 provider_not_granted');
    expect(await attempt(anthropic, '/groq/chat/completions')).toBe('403 provider_not_granted');
    expect(await attempt(anthropic, '/nobody/v1/messages')).toBe('404 unknown_provider');
    expect(await attempt(anthropic, '/anthropic/v1/organizations/api_keys')).toBe('403 path_not_allowed');
    expect(await attempt(anthropic, '/anthropic/v1/files')).toBe('403 path_not_allowed');
    expect(await attempt(openai, '/openai/chat/completions')).toBe('403 path_not_allowed');
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expect(await attempt(anthropic, MESSAGES, method)).toBe('403 path_not_allowed');
    }
    expect(await attempt(openai, '/openai/models/ft:gpt', 'DELETE')).toBe('403 path_not_allowed');
    expect(await attempt(anthropic, '/anthropic/evil.test/v1/messages')).toBe('403 path_not_allowed');
    expect(await attempt(anthropic, '/anthropic/api.openai.com/v1/messages')).toBe('403 path_not_allowed');

    await broker.session.close();
    expect(await attempt(anthropic, MESSAGES)).toBe('401 unauthorized');
    expect(await attempt(openai, '/openai/responses')).toBe('401 unauthorized');
    expect(await attempt(other?.environment['ANTHROPIC_API_KEY'] ?? '', MESSAGES)).toBe('ok');
    expect(upstream.seen).toHaveLength(4);
  });

  it.each([
    ['no token', MESSAGES, {}],
    ['a wrong token', MESSAGES, { 'x-api-key': 'sk-wrong' }],
    ['the real key', MESSAGES, { 'x-api-key': REAL_KEY }],
    ['an unknown provider', '/nobody/x', { 'x-api-key': 'sk-wrong' }],
    ['a traversal', '/anthropic/../x', {}],
    ['a web page', MESSAGES, { origin: 'https://evil.test' }],
    ['a foreign Host', MESSAGES, { host: 'evil.test' }],
  ])('S08: without a valid token the answer is 401 (%s)', async (_name, target, headers) => {
    const upstream = await startUpstream();
    const broker = await startTestBroker(everywhere(upstream.url));
    const answer = await call({ path: broker.path, target, headers });
    expect([answer.status, errorOf(answer.body)]).toEqual([401, 'unauthorized']);
    expect(upstream.seen).toEqual([]);
  });
});

describe('web pages', () => {
  it('S16: a request with an Origin, or for a Host that is not loopback, is refused', async () => {
    const upstream = await startUpstream();
    const broker = await startTestBroker(everywhere(upstream.url));
    const attempt = async (headers: Record<string, string>, method = 'POST'): Promise<string> => {
      const answer = await call({
        path: broker.path,
        target: MESSAGES,
        method,
        headers: { 'x-api-key': broker.token(), ...headers },
      });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      return answer.status === 200 ? 'ok' : `${answer.status} ${errorOf(answer.body)}`;
    };
    for (const origin of ['https://evil.test', 'http://127.0.0.1:8317', 'null', ''])
      expect(await attempt({ origin })).toBe('403 origin_not_allowed');
    expect(await attempt({ origin: 'https://evil.test', 'access-control-request-method': 'POST' }, 'OPTIONS')).toMatch(/^403/);
    for (const host of [
      'evil.test',
      'evil.test:8317',
      '127.0.0.1.evil.test',
      'localhost.evil.test',
      '10.0.0.1',
      '[::2]',
      '127.0.0.1:x',
      ' ',
    ])
      expect(await attempt({ host })).toBe('403 host_not_allowed');
    expect(upstream.seen).toEqual([]);
    for (const host of ['127.0.0.1', '127.0.0.1:1', 'localhost', 'LOCALHOST:8317', '[::1]', '[::1]:8317'])
      expect(await attempt({ host })).toBe('ok');
  });

  it.each([
    ['none', []],
    ['two', ['Host: 127.0.0.1', 'Host: evil.test']],
  ])('S16: a request with %s of Host is refused', async (_name, hosts) => {
    const broker = await startTestBroker();
    const client = await connectRaw(broker.path);
    client.send(
      [`POST ${MESSAGES} HTTP/1.1`, ...hosts, `X-Api-Key: ${broker.token()}`, 'Content-Length: 0', '', ''].join('\r\n'),
    );
    expect(await client.until(/\}\}$/)).toMatch(/^HTTP\/1\.1 403 [^]*host_not_allowed/);
  });
});

describe('leaving HTTP', () => {
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: x'];

  it('B35: an upgrade is refused at once, with a reason for a valid token only', async () => {
    const upstream = await startUpstream();
    const broker = await startTestBroker(everywhere(upstream.url));
    const valid = await connectRaw(broker.path);
    valid.send(head('GET /openai/responses', [`Authorization: Bearer ${broker.token('OPENAI_API_KEY')}`, ...upgrade]));
    expect(await valid.ended).toMatch(/^HTTP\/1\.1 426 [^]*upgrade_not_supported/);
    const invalid = await connectRaw(broker.path);
    invalid.send(head('GET /openai/responses', ['Authorization: Bearer sk-wrong', ...upgrade]));
    expect(await invalid.ended).toMatch(/^HTTP\/1\.1 401 [^]*unauthorized/);
    expect(upstream.seen).toEqual([]);
    const ordinary = await call({
      path: broker.path,
      target: '/openai/responses',
      headers: { authorization: `Bearer ${broker.token('OPENAI_API_KEY')}` },
    });
    expect(ordinary.status).toBe(200);
  });

  it('B35: the broker is not a tunnel', async () => {
    const broker = await startTestBroker();
    const valid = await connectRaw(broker.path);
    valid.send(head('CONNECT api.openai.com:443', [`Authorization: Bearer ${broker.token('OPENAI_API_KEY')}`]));
    expect(await valid.ended).toMatch(/^HTTP\/1\.1 405 [^]*connect_not_supported/);
    const invalid = await connectRaw(broker.path);
    invalid.send(head('CONNECT api.openai.com:443', [`Proxy-Authorization: Bearer ${broker.token('OPENAI_API_KEY')}`]));
    expect(await invalid.ended).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('requests that no two servers read alike', () => {
  const X = 'Content-Type: application/json';
  it.each([
    ['both framings', ['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['two lengths', ['Content-Length: 5', 'Content-Length: 6'], 'hello'],
    ['a transfer coding', ['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'],
    ['an unknown transfer coding', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
    ['a length that is no number', ['Content-Length: +5'], 'hello'],
    ['a bare LF in the head', [`${X}\nX-Smuggled: 1`, 'Content-Length: 0'], ''],
    ['a space before the colon', ['X-Name : 1', 'Content-Length: 0'], ''],
    ['a folded header', ['X-Name: 1', ' folded', 'Content-Length: 0'], ''],
    ['too many header bytes', [`X-Long: ${'a'.repeat(40_000)}`, 'Content-Length: 0'], ''],
    ['another expectation', ['Expect: 200-ok', 'Content-Length: 0'], ''],
  ])('refuses %s', async (_name, headers, body) => {
    const upstream = await startUpstream();
    const broker = await startTestBroker(everywhere(upstream.url));
    const client = await connectRaw(broker.path);
    client.send(head(`POST ${MESSAGES}`, [`X-Api-Key: ${broker.token()}`, ...headers]) + body);
    expect(await client.until(/\}\}$/)).toMatch(/^HTTP\/1\.1 4(?:00|17|31) [^]*"doompi_broker"/);
    expect(upstream.seen).toEqual([]);
  });

  it.each([
    ['GET with a body', `GET /anthropic/v1/models HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n`, 'x'],
    ['HTTP/1.0, which cannot tell a cut answer', `POST ${MESSAGES} HTTP/1.0\r\nHost: localhost\r\nContent-Length: 0\r\n`, ''],
    ['the absolute form', `POST http://127.0.0.1:8317${MESSAGES} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n`, ''],
    ['the authority form', `POST evil.test:80 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n`, ''],
    ['the asterisk form', `OPTIONS * HTTP/1.1\r\nHost: localhost\r\n`, ''],
  ])('refuses %s', async (_name, start, body) => {
    const upstream = await startUpstream();
    const broker = await startTestBroker(everywhere(upstream.url));
    const client = await connectRaw(broker.path);
    client.send(`${start}X-Api-Key: ${broker.token()}\r\n\r\n${body}`);
    expect(await client.until(/\}\}$/)).toMatch(/^HTTP\/1\.1 400 [^]*"doompi_broker"/);
    expect(upstream.seen).toEqual([]);
  });
});

describe('wording', () => {
  const retried = (status: number, body: string): boolean =>
    isRetryableAssistantError({ stopReason: 'error', errorMessage: `${status} ${body}` } as Parameters<
      typeof isRetryableAssistantError
    >[0]);

  it.each(Object.entries(REFUSAL_STATUS))('%s (%i) makes Pi send again exactly when that can help', (code, status) => {
    const body = refusalBody(code as RefusalCode);
    expect(retried(status, body)).toBe(code.startsWith('upstream_'));
    // By its words too, for SDKs that do not pass the status on.
    expect(retried(0, body)).toBe(code.startsWith('upstream_'));
    expect(Math.floor(status / 100)).toBe(code.startsWith('upstream_') ? 5 : 4);
  });
});
