import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findCredentials, startBroker, type Broker, type BrokerOptions, type BrokerSession } from '../../src/index.ts';

export const REAL_KEY = 'real-key-that-stays-on-the-host-0123456789';
export const OTHER_KEY = 'other-real-key-that-stays-on-the-host-9876';

/** A private directory that is gone after the test. */
export const privateDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'broker-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
};

export interface TestBroker {
  readonly broker: Broker;
  readonly session: BrokerSession;
  readonly path: string;
  /** Token of a variable of the session. */
  readonly token: (variable?: string) => string;
}

/** A broker with one session that holds `REAL_KEY` for Anthropic and `OTHER_KEY` for OpenAI and Google. */
export const startTestBroker = async (
  upstreams: BrokerOptions['upstreams'] = {},
  environment: Readonly<Record<string, string>> = {
    ANTHROPIC_API_KEY: REAL_KEY,
    OPENAI_API_KEY: OTHER_KEY,
    GEMINI_API_KEY: OTHER_KEY,
  },
): Promise<TestBroker> => {
  const path = join(await privateDirectory(), 'broker.sock');
  const broker = await startBroker({ listen: { transport: 'unix', path }, upstreams });
  onTestFinished(() => broker.close());
  const session = broker.openSession({ id: 'test', credentials: findCredentials(environment) });
  if (session === undefined) throw new Error('no credential');
  const token = (variable = 'ANTHROPIC_API_KEY'): string => session.environment[variable] as string;
  return { broker, session, path, token };
};

/** The same upstream for every provider that tests use. */
export const everywhere = (url: string): Record<string, string> => ({ anthropic: url, openai: url, google: url });
