import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor, type ModelServer } from '@doompi-sandbox/testkit';
import { startSandbox, type RunningSandbox } from './sandbox.ts';

/** The key that sessions with such an agent have on the host. */
export const KEY = 'sk-ant-api03-real-0123456789abcdef';

/** Calls the provider again and again and writes down each status, whatever TERM says; ends when there is a file `stop`. */
const CALLS = `
const fs = require('node:fs');
const call = async () => {
  const headers = { 'x-api-key': process.env.ANTHROPIC_API_KEY, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] });
  const response = await fetch('http://127.0.0.1:8317/anthropic/api.anthropic.com/v1/messages', { method: 'POST', headers, body });
  await response.text();
  return response.status;
};
const main = async () => {
  while (!fs.existsSync('stop')) {
    const status = await call().catch(() => 'failed');
    fs.appendFileSync('calls', status + '\\n');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
process.on('SIGTERM', () => {});
main();
`;

export interface CallingOptions {
  /** Options of `doompi-sandbox`, the stand-in agent's among them. */
  readonly options: readonly string[];
  readonly server: ModelServer;
  readonly repository: string;
  /** TMPDIR of the launcher, which cannot remove its own directory when it is killed. */
  readonly temporary: string;
}

export interface CallingAgent {
  readonly running: RunningSandbox;
  /** Statuses of its calls so far, `failed` for one without. */
  readonly calls: () => Promise<readonly string[]>;
}

/** A session, leader of a process group, whose agent has called its provider once and goes on. */
export const startCallingAgent = async ({ options, server, repository, temporary }: CallingOptions): Promise<CallingAgent> => {
  await writeFile(join(repository, 'calls.cjs'), CALLS);
  const running = startSandbox([...options, '--upstream', `anthropic=${server.url}`, '--', 'node', 'calls.cjs'], {
    cwd: repository,
    environment: { ANTHROPIC_API_KEY: KEY, TMPDIR: temporary },
    detached: true,
  });
  const calls = async (): Promise<readonly string[]> => (await readFile(join(repository, 'calls'), 'utf8')).trim().split('\n');
  await waitFor(async () => (await calls()).includes('200'), { timeoutMs: 30_000, what: 'a provider call' });
  return { running, calls };
};

/** How many calls have failed since the last success. */
export const failedSince = (statuses: readonly string[]): number => statuses.length - 1 - statuses.lastIndexOf('200');
