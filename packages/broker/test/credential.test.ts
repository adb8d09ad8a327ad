import { describe, expect, it } from 'vitest';
import { createCredential, findCredentials, isBrokerError, PI_ROUTES, startBroker, type Credential } from '../src/index.ts';
import { privateDirectory, startTestBroker } from './support/broker.ts';

const summary = (credentials: readonly Credential[]): unknown[] =>
  credentials.map(({ variable, value, scheme, tokenPrefix, providers }) => [variable, value, scheme, tokenPrefix, ...providers]);

describe('findCredentials', () => {
  it.each<[string, Record<string, string | undefined>, unknown[]]>([
    ['nothing', {}, []],
    ['blank values', { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: ' \t\n', GEMINI_API_KEY: undefined }, []],
    ['other secrets', { STRIPE_API_KEY: 'x', NPM_TOKEN: 'x', ANTHROPIC_BASE_URL: 'x' }, []],
    ['a key with white space around it', { GROQ_API_KEY: ' k\n' }, [['GROQ_API_KEY', 'k', 'api-kind', 'sk-', 'groq']]],
    [
      'two providers on one variable',
      { MOONSHOT_API_KEY: 'k' },
      [['MOONSHOT_API_KEY', 'k', 'api-kind', 'sk-', 'moonshotai', 'moonshotai-cn']],
    ],
    [
      'a plan variable before the shared one, which the other plan still uses',
      { QWEN_TOKEN_PLAN_TEAM_API_KEY: 't', QWEN_TOKEN_PLAN_API_KEY: 's' },
      [
        ['QWEN_TOKEN_PLAN_TEAM_API_KEY', 't', 'api-kind', 'sk-', 'qwen-token-plan'],
        ['QWEN_TOKEN_PLAN_API_KEY', 's', 'api-kind', 'sk-', 'qwen-token-plan-individual'],
      ],
    ],
    [
      'all of Anthropic: the first one only',
      { ANTHROPIC_API_KEY: 'k', ANTHROPIC_OAUTH_TOKEN: 'o', ANTHROPIC_AUTH_TOKEN: 'a' },
      [['ANTHROPIC_AUTH_TOKEN', 'a', 'bearer', 'sk-', 'anthropic']],
    ],
    [
      'the OAuth token of Anthropic before its key',
      { ANTHROPIC_API_KEY: 'k', ANTHROPIC_OAUTH_TOKEN: 'o', ANTHROPIC_AUTH_TOKEN: ' ' },
      [['ANTHROPIC_OAUTH_TOKEN', 'o', 'bearer', 'sk-ant-oat01-', 'anthropic']],
    ],
    [
      'an OAuth token in the variable for keys, which Pi sends as a bearer token',
      { ANTHROPIC_API_KEY: 'sk-ant-oat01-xyz' },
      [['ANTHROPIC_API_KEY', 'sk-ant-oat01-xyz', 'bearer', 'sk-ant-oat01-', 'anthropic']],
    ],
  ])('%s', (_name, environment, expected) => {
    expect(summary(findCredentials(environment))).toEqual(expected);
  });

  it('names the variable whose value cannot be a key', () => {
    expect(() => findCredentials({ GROQ_API_KEY: 'a\nb' })).toThrow(/GROQ_API_KEY/);
  });
});

describe('openSession', () => {
  it('has nothing to broker without credentials', async () => {
    const { broker } = await startTestBroker();
    expect(broker.openSession({ credentials: [] })).toBeUndefined();
  });

  it('gives one token per credential, new in each session, and the hosts that agents look for', async () => {
    const { broker, session } = await startTestBroker({ anthropic: 'http://127.0.0.1:1/override' });
    const again = broker.openSession({ credentials: findCredentials({ ANTHROPIC_API_KEY: 'k' }) });
    expect(Object.keys(session.environment)).toEqual(['ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'OPENAI_API_KEY']);
    expect(new Set([...Object.values(session.environment), ...Object.values(again?.environment ?? {})]).size).toBe(4);
    expect(session.providers).toEqual([
      { id: 'anthropic', upstreamHost: 'api.anthropic.com' },
      { id: 'google', upstreamHost: 'generativelanguage.googleapis.com' },
      { id: 'openai', upstreamHost: 'api.openai.com' },
    ]);
    expect(again?.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('refuses two credentials for one variable or provider, unknown providers, ids in use, and a closed broker', async () => {
    const { broker, session } = await startTestBroker();
    const make = (variable: string, provider: string): Credential =>
      createCredential({ variable, value: 'k', providers: [provider] });
    const open =
      (...credentials: Credential[]) =>
      (): unknown =>
        broker.openSession({ credentials });
    expect(open(make('A', 'groq'), make('A', 'xai'))).toThrow(/variable A must appear once/);
    expect(open(make('A', 'groq'), make('B', 'groq'))).toThrow(/provider groq must appear once/);
    expect(open(make('A', 'nobody'))).toThrow(expect.objectContaining({ code: 'BROKER_UNKNOWN_PROVIDER' }));
    expect(() => broker.openSession({ id: session.id, credentials: [make('A', 'groq')] })).toThrow(
      expect.objectContaining({ code: 'BROKER_SESSION_EXISTS', details: { session: session.id } }),
    );
    await session.close();
    expect(broker.openSession({ id: session.id, credentials: [make('A', 'groq')] })?.id).toBe(session.id);
    await broker.close();
    expect(open(make('B', 'xai'))).toThrow(expect.objectContaining({ code: 'BROKER_CLOSED' }));
  });
});

describe('routes as options', () => {
  it.each([
    ['a bad id', { ...PI_ROUTES[0], id: 'a/b' }, /id must match/],
    ['no API', { ...PI_ROUTES[0], apis: [] }, /must have an API/],
    ['an unknown kind', { ...PI_ROUTES[0], apis: [{ kind: 'soap', base: 'https://a.test' }] }, /known API kinds/],
    ['a base with a query', { ...PI_ROUTES[0], apis: [{ kind: 'pi-messages', base: 'https://a.test/?x' }] }, /plain base URL/],
    ['a base without TLS', { ...PI_ROUTES[0], apis: [{ kind: 'pi-messages', base: 'http://a.test' }] }, /must use https/],
  ])('refuses %s', async (_name, route, message) => {
    const path = `${await privateDirectory()}/s`;
    const error: unknown = await startBroker({
      listen: { transport: 'unix', path },
      routes: [route as (typeof PI_ROUTES)[0]],
    }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toMatch(message);
    expect(isBrokerError(error) || error instanceof TypeError).toBe(true);
  });
});
