import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startModelServer, temporaryDirectory, waitFor } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { containerOf, containersOf, sessionRepository, startSandbox } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const agent = useStandIn();

const KEY = 'sk-ant-api03-real-0123456789abcdef';

/** Calls the provider again and again; writes each status, and one `up` file after the first success. */
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
  for (;;) {
    const status = await call().catch(() => 'failed');
    fs.appendFileSync('calls', status + '\\n');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
process.on('SIGTERM', () => {});
main();
`;

it.each([
  ['the launcher', false],
  ['the launcher and its whole process group', true],
])('B56: after kill -9 of %s the container is gone within 15 s and no provider call succeeds', async (_what, group) => {
  await using server = await startModelServer({ key: KEY });
  await using repository = await sessionRepository();
  // A killed launcher cannot remove its own directory.
  await using temporary = await temporaryDirectory();
  await writeFile(join(repository.path, 'calls.cjs'), CALLS);
  const running = startSandbox([...agent(), '--upstream', `anthropic=${server.url}`, '--', 'node', 'calls.cjs'], {
    cwd: repository.path,
    environment: { ANTHROPIC_API_KEY: KEY, TMPDIR: temporary.path },
    detached: true,
  });
  await containerOf(repository.path);
  const calls = async (): Promise<string[]> => (await readFile(join(repository.path, 'calls'), 'utf8')).trim().split('\n');
  await waitFor(async () => (await calls()).includes('200'), { timeoutMs: 30_000, what: 'a provider call' });
  process.kill(group ? -running.pid : running.pid, 'SIGKILL');
  await running.closed;
  const before = server.requests.length;
  await waitFor(async () => (await containersOf(repository.path)).length === 0, {
    timeoutMs: 15_000,
    what: 'the container to be gone',
  });
  expect(server.requests.length).toBe(before);
  const statuses = await calls();
  expect(statuses.slice(statuses.lastIndexOf('200') + 1).length, 'failed calls after the last success').toBeGreaterThan(10);
});
