import { describe, expect, it } from 'vitest';
import { isConfined } from '../src/path.ts';
import { everywhere, startTestBroker } from './support/broker.ts';
import { connectRaw, head } from './support/client.ts';
import { startUpstream } from './support/upstream.ts';

const ESCAPES: readonly string[] = [
  '/openai/../x',
  '/openai/..',
  '/openai/./models',
  '/openai/%2e%2e/x',
  '/openai/%2E%2E/x',
  '/openai/.%2e/x',
  '/openai/%2e./x',
  '/openai/..%2fx',
  '/openai/models/..%2f..%2fx',
  '/openai/models/a%2F..%2F..%2Fx',
  '/openai/models/%252e%252e%252fx',
  '/openai/models/%25252e%25252e',
  '/openai//evil.test/x',
  '/openai/models//x',
  '/openai/models/a%2F%2Fb',
  '/openai/models/%2Fx',
  '/openai/\\evil',
  '/openai/models/..\\x',
  '/openai/models/%5c..%5cx',
  '/openai/a;/../x',
  '/openai/..;/x',
  '/openai/..;a=b/x',
  '/openai/models/%2e%2e%3b%2fx',
  '/%6fpenai/x',
  '/openai%2Fmodels',
  '/%2e%2e/openai/models',
  '/openai/models/%00',
  '/openai/models/a%0d%0aHost:evil',
  '/openai/models/a%7f',
  '/openai/models/%c0%ae%c0%ae/x',
  '/openai/models/%zz',
  '/openai/models/%',
  '/openai/models/a#b',
  '/openai/models/\u00e9',
  '//openai/models',
  'openai/models',
];

const LEGITIMATE: readonly [string, string, string][] = [
  ['GET', '/openai/models/[...slug]', '/models/[...slug]'],
  ['GET', '/openai/models/...', '/models/...'],
  ['GET', '/openai/models/"{a}|^`<b>"', '/models/"{a}|^`<b>"'],
  ['GET', '/openai/models/..a', '/models/..a'],
  ['GET', '/openai/models/a..b', '/models/a..b'],
  ['GET', '/openai/models/.hidden', '/models/.hidden'],
  ['GET', '/openai/models/a%25b', '/models/a%25b'],
  ['GET', '/openai/models/%E2%82%AC', '/models/%E2%82%AC'],
  ['GET', "/openai/models/a;b=c,d@e!$&'()*+=:~", "/models/a;b=c,d@e!$&'()*+=:~"],
  ['POST', '/google/models/a%2Fb:generate', '/models/a%2Fb:generate'],
  ['POST', '/google/models/a%2fb:streamGenerateContent?alt=sse', '/models/a%2fb:streamGenerateContent?alt=sse'],
  ['POST', '/openai/responses?x=../../..&y=%2e%2e%2F', '/responses?x=../../..&y=%2e%2e%2F'],
];

describe('paths', () => {
  it.each(ESCAPES)('B30: %s is not confined, or names no provider', (path) => {
    expect(isConfined(path) && /^\/[A-Za-z0-9._-]+\//.test(path)).toBe(false);
  });

  it('B30: no escape reaches the upstream', async () => {
    const upstream = await startUpstream();
    const broker = await startTestBroker(everywhere(`${upstream.url}/v1/base`));
    for (const path of ESCAPES) {
      const client = await connectRaw(broker.path);
      client.send(head(`GET ${path}`, [`Authorization: Bearer ${broker.token('OPENAI_API_KEY')}`]));
      const answer = await client.until(/\}\}$/);
      expect([path, answer.slice(0, 12)]).toEqual([path, 'HTTP/1.1 400']);
      client.socket.destroy();
    }
    expect(upstream.seen).toEqual([]);
  });

  it('B30: legitimate paths arrive byte-identical below the base', async () => {
    const upstream = await startUpstream();
    const broker = await startTestBroker(everywhere(`${upstream.url}/v1/base/`));
    for (const [method, path] of LEGITIMATE) {
      const token = broker.token(path.startsWith('/google') ? 'GEMINI_API_KEY' : 'OPENAI_API_KEY');
      const client = await connectRaw(broker.path);
      client.send(head(`${method} ${path}`, [`Authorization: Bearer ${token}`]));
      await client.until(/200 OK/);
      client.socket.destroy();
    }
    expect(upstream.seen.map(({ url }) => url)).toEqual(LEGITIMATE.map(([, , path]) => `/v1/base${path}`));
  });
});
