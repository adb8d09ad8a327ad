import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCredential, PI_ROUTES } from '../src/index.ts';
import { decide, type DecisionContext } from '../src/decision.ts';
import { credentialSlot } from '../src/api-kind.ts';
import type { Grant } from '../src/session.ts';
import { resolveRoute } from '../src/target.ts';
import { mintToken, tokenDigest } from '../src/token.ts';
import { everywhere, startTestBroker } from './support/broker.ts';
import { connectRaw } from './support/client.ts';
import { almost, anyRequest, rawHeaders } from './support/hostile.ts';
import { startUpstream } from './support/upstream.ts';

const RUNS = { numRuns: 4000 };
const KEY = 'the-real-key';
const token = mintToken('sk-');
const credential = createCredential({ variable: 'K', value: KEY, providers: PI_ROUTES.map(({ id }) => id) });
const grant: Grant = {
  session: 's',
  credential,
  providers: new Set(credential.providers),
  digest: tokenDigest(token),
  exchanges: new Set(),
};
const context: DecisionContext = {
  grants: new Map([[grant.digest, grant]]),
  routes: new Map(PI_ROUTES.map((route) => [route.id, resolveRoute(route, undefined)])),
};

const withToken = fc.constantFrom(token, `Bearer ${token}`, `bearer  ${token}`, ` ${token} `, `id=${token}`);

/** Every reading of a path that a server might make. */
const readings = (path: string): string[] => {
  const all = [path];
  for (let round = 0; round < 6; round += 1) {
    try {
      all.push(decodeURIComponent(all.at(-1) as string));
    } catch {
      break;
    }
  }
  return all.flatMap((reading) => [reading, reading.replaceAll('\\', '/'), reading.replaceAll(/;[^/]*/g, '')]);
};

describe('for any input', () => {
  it('S08: nothing is forwarded without the token', () => {
    let control = 0;
    fc.assert(
      fc.property(anyRequest, rawHeaders(almost(token)), ({ method, url }, raw) => {
        const request = { method, url, httpVersion: '1.1' };
        expect(decide(context, { ...request, rawHeaders: raw })).toHaveProperty('refused');
        // The same input with the token and nothing else.
        if ('plan' in decide(context, { ...request, rawHeaders: ['Host', 'localhost', 'x-api-key', token] })) control += 1;
      }),
      RUNS,
    );
    // Without this a refusal of everything would pass.
    expect(control).toBeGreaterThan(500);
  });

  it('S08: no bytes on the socket reach an upstream without the token', async () => {
    const upstream = await startUpstream();
    const broker = await startTestBroker(everywhere(upstream.url));
    const line = anyRequest.map(({ method, url }) => `${method} ${url} HTTP/1.1\r\n`);
    const fields = rawHeaders(almost(broker.token())).map((raw) =>
      raw.map((item, index) => item + (index % 2 ? '\r\n' : ': ')).join(''),
    );
    const end = fc.constantFrom('\r\n', 'Content-Length: 3\r\n\r\nabc', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n');
    await fc.assert(
      fc.asyncProperty(line, fields, end, async (first, rest, last) => {
        const client = await connectRaw(broker.path);
        client.send(`${first}${rest}${last}`);
        expect(await client.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 4(?:00|01|17)/);
        client.socket.destroy();
      }),
      { numRuns: 2000 },
    );
    expect(upstream.seen).toEqual([]);
  });

  it('B30: what is forwarded goes to a base of the route it names, in every reading of its path', () => {
    let forwarded = 0;
    fc.assert(
      fc.property(anyRequest, ({ method, url }) => {
        const decision = decide(context, {
          method,
          url,
          httpVersion: '1.1',
          rawHeaders: ['Host', 'localhost', 'x-api-key', token],
        });
        if (!('plan' in decision)) return;
        forwarded += 1;
        const { origin, path, provider } = decision.plan.target;
        const route = PI_ROUTES.find(({ id }) => id === provider);
        expect(url.startsWith(`/${provider}/`)).toBe(true);
        const bases = route?.apis.map(({ base }) => new URL(base)) ?? [];
        const pathname = path.split('?', 1)[0] ?? '';
        for (const reading of readings(pathname)) {
          const landed = new URL(origin + reading);
          expect(bases.some((base) => landed.origin === base.origin && landed.pathname.startsWith(base.pathname))).toBe(true);
          expect(reading.split('/').filter((segment) => segment === '.' || segment === '..')).toEqual([]);
        }
      }),
      { numRuns: 12_000 },
    );
    // Without this a refusal of everything would pass.
    expect(forwarded).toBeGreaterThan(200);
  });

  it('B29: what is forwarded carries one credential, the real one, and no trace of the token', () => {
    let forwarded = 0;
    const good = fc.constantFrom(
      '/anthropic/v1/messages',
      '/openai/responses',
      '/google/models/m:generateContent?alt=sse',
      `/groq/chat/completions?key=${token}`,
      `/xai/responses?a=${token}`,
    );
    fc.assert(
      fc.property(good, rawHeaders(fc.oneof(withToken, almost(token))), fc.boolean(), (target, rest, present) => {
        const raw = present ? [...rest, 'x-api-key', token] : rest;
        const decision = decide(context, { method: 'POST', url: target, httpVersion: '1.1', rawHeaders: raw });
        if (!('plan' in decision)) return;
        forwarded += 1;
        const { headers: sent, target: to } = decision.plan;
        expect([to.path, ...sent].join('\n')).not.toContain(token);
        expect(sent.filter((item) => item.includes(KEY))).toHaveLength(1);
        const names = sent.filter((_item, index) => index % 2 === 0).map((name) => name.toLowerCase());
        const slots = names.filter((name) =>
          /^(?:authorization|.*api-key|cookie|proxy-authorization|cf-aig-authorization)$/.test(name),
        );
        expect(slots).toEqual([credentialSlot(to.kind)]);
        for (const name of ['connection', 'te', 'host', 'transfer-encoding', 'content-length', 'x-forwarded-host'])
          expect(names).not.toContain(name);
      }),
      RUNS,
    );
    expect(forwarded).toBeGreaterThan(200);
  });
});
