import { describe, expect, it } from 'vitest';
import { everywhere, OTHER_KEY, REAL_KEY, startTestBroker } from './support/broker.ts';
import { connectRaw, head } from './support/client.ts';
import { startUpstream } from './support/upstream.ts';

const MESSAGES = '/anthropic/v1/messages';

describe('credentials in a request', () => {
  const T = '<token>';
  const passes: readonly [string, string, readonly string[]][] = [
    ['in the slot of the API', MESSAGES, [`X-Api-Key: ${T}`]],
    ['as a bearer token', MESSAGES, [`Authorization: Bearer ${T}`]],
    ['as a bearer token in odd case', MESSAGES, [`AUTHORIZATION: bEaReR   ${T}`]],
    ['without a scheme', MESSAGES, [`Authorization: ${T}`]],
    ['in two slots', MESSAGES, [`X-Api-Key: ${T}`, `Authorization: Bearer ${T}`]],
    ['twice in one slot', MESSAGES, [`X-Api-Key: ${T}`, `X-Api-Key: ${T}`]],
    ['in the slots of other APIs', MESSAGES, [`Api-Key: ${T}`, `X-Goog-Api-Key: ${T}`, `cf-aig-authorization: Bearer ${T}`]],
    ['in the query', `${MESSAGES}?key=${T}&beta=true`, []],
    ['in the query and a header', `${MESSAGES}?beta=true&api_key=${T}`, [`X-Api-Key: ${T}`]],
    ['beside blank slots', MESSAGES, [`X-Api-Key: ${T}`, 'Authorization: ', 'Api-Key:']],
    ['beside the name of a connection header', MESSAGES, [`X-Api-Key: ${T}`, 'Connection: x-secret', `X-Secret: ${T}`]],
  ];
  const refused: readonly [string, string, readonly string[]][] = [
    ['another bearer token', MESSAGES, [`X-Api-Key: ${T}`, 'Authorization: Bearer other']],
    ['another bearer token first', MESSAGES, ['Authorization: Bearer other', `X-Api-Key: ${T}`]],
    ['basic credentials', MESSAGES, [`X-Api-Key: ${T}`, 'Authorization: Basic dTpw']],
    ['a second value of one header', MESSAGES, [`X-Api-Key: ${T}`, 'X-Api-Key: other']],
    ['a joined value', MESSAGES, [`X-Api-Key: ${T}, other`]],
    ['another key in the query', `${MESSAGES}?key=other`, [`X-Api-Key: ${T}`]],
    ['another key in an encoded parameter', `${MESSAGES}?%6Bey=other`, [`X-Api-Key: ${T}`]],
    ['another access token', `${MESSAGES}?ACCESS_TOKEN=other`, [`X-Api-Key: ${T}`]],
    ['another Azure key', MESSAGES, [`X-Api-Key: ${T}`, 'api-key: other']],
    ['another gateway key', MESSAGES, [`X-Api-Key: ${T}`, 'cf-aig-authorization: Bearer other']],
    ['a cookie', MESSAGES, [`X-Api-Key: ${T}`, 'Cookie: a=b']],
    ['the token in a cookie', MESSAGES, [`X-Api-Key: ${T}`, `Cookie: a=${T}`]],
    ['proxy credentials', MESSAGES, [`X-Api-Key: ${T}`, 'Proxy-Authorization: Basic dTpw']],
    ['the token as proxy credentials', MESSAGES, [`X-Api-Key: ${T}`, `Proxy-Authorization: Bearer ${T}`]],
    ['only proxy credentials', MESSAGES, [`Proxy-Authorization: Bearer ${T}`]],
    ['the token in another header', MESSAGES, [`X-Api-Key: ${T}`, `X-Trace: id=${T}`]],
    ['the token in a header name', MESSAGES, [`X-Api-Key: ${T}`, `${T}: 1`]],
    ['the token in another parameter', `${MESSAGES}?trace=${T}`, [`X-Api-Key: ${T}`]],
    ['the token in an encoded parameter', `${MESSAGES}?trace=%73k-<rest>`, [`X-Api-Key: ${T}`]],
    ['the token in the path', `/google/models/${T}:generateContent`, [`X-Goog-Api-Key: ${T}`]],
  ];

  const run = async (
    target: string,
    headers: readonly string[],
  ): Promise<{ answer: string; upstream: (readonly string[])[]; url: string }> => {
    const upstream = await startUpstream();
    const broker = await startTestBroker(everywhere(upstream.url));
    const token = broker.token(target.startsWith('/google') ? 'GEMINI_API_KEY' : 'ANTHROPIC_API_KEY');
    const fill = (text: string): string => text.replaceAll('<token>', token).replaceAll('<rest>', token.slice(3));
    const client = await connectRaw(broker.path);
    client.send(head(`POST ${fill(target)}`, [...headers.map(fill), 'Content-Length: 0']));
    const answer = await client.until(/\}$/);
    for (const { rawHeaders, url } of upstream.seen) expect(`${url} ${rawHeaders.join(' ')}`).not.toContain(token.slice(3));
    return { answer, upstream: upstream.seen.map(({ rawHeaders }) => rawHeaders), url: upstream.seen[0]?.url ?? '' };
  };

  it.each(passes)('B29: a token %s becomes one real key', async (_name, target, headers) => {
    const { answer, upstream, url } = await run(target, headers);
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    const sent = upstream[0] ?? [];
    const credentials = sent
      .map((name, index) => (index % 2 === 0 ? `${name.toLowerCase()}: ${sent[index + 1]}` : ''))
      .filter((line) => /key|auth|cookie|secret|real/.test(line));
    expect(credentials).toEqual([`x-api-key: ${REAL_KEY}`]);
    expect(url).toBe(target.includes('beta') ? '/v1/messages?beta=true' : '/v1/messages');
  });

  it.each(refused)('B29: beside the token %s is refused', async (_name, target, headers) => {
    const { answer, upstream } = await run(target, headers);
    expect(answer).toMatch(/^HTTP\/1\.1 401 [^]*"(?:credential_conflict|unauthorized)"/);
    expect(upstream).toEqual([]);
  });

  it.each([
    ['ANTHROPIC_AUTH_TOKEN', 'authorization', `Bearer ${REAL_KEY}`, /^sk-[\w-]{43}$/],
    ['ANTHROPIC_OAUTH_TOKEN', 'authorization', `Bearer ${REAL_KEY}`, /^sk-ant-oat01-[\w-]{43}$/],
    ['ANTHROPIC_API_KEY', 'x-api-key', REAL_KEY, /^sk-[\w-]{43}$/],
    ['GEMINI_API_KEY', 'x-goog-api-key', REAL_KEY, /^sk-[\w-]{43}$/],
    ['OPENAI_API_KEY', 'authorization', `Bearer ${REAL_KEY}`, /^sk-[\w-]{43}$/],
  ])('sends the key of %s in %s', async (variable, slot, value, shape) => {
    const upstream = await startUpstream();
    const broker = await startTestBroker(everywhere(upstream.url), { [variable]: REAL_KEY, OTHER: OTHER_KEY });
    const token = broker.token(variable);
    expect(token).toMatch(shape);
    const target = { G: '/google/models/g:generateContent', O: '/openai/responses' }[variable.charAt(0)] ?? MESSAGES;
    const client = await connectRaw(broker.path);
    client.send(head(`POST ${target}`, [`Authorization: Bearer ${token}`, 'Content-Length: 0']));
    await client.until(/200 OK/);
    const headers = upstream.seen[0]?.headers ?? {};
    expect(['authorization', 'x-api-key', 'x-goog-api-key'].filter((name) => headers[name] !== undefined)).toEqual([slot]);
    expect(headers[slot]).toBe(value);
  });
});
