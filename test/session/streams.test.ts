import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram, waitFor, within } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import {
  COMMAND,
  containerOf,
  containersOf,
  sandbox,
  sessionEnvironment,
  sessionRepository,
  startSandbox,
} from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const agent = useStandIn();

const md5 = (data: string | Uint8Array): string => createHash('md5').update(data).digest('hex');

describe('B15: input piped or closed', () => {
  it('B15: a pipe arrives byte for byte', async () => {
    await using repository = await sessionRepository();
    const result = await sandbox([...agent(), '--', 'md5sum'], { cwd: repository.path, input: 'foo' });
    expect(result, result.stderr).toEqual({ exitCode: 0, stdout: `${md5('foo')}  -\n`, stderr: '' });
  });

  it('B15: 10 MB arrive unchanged', async () => {
    await using repository = await sessionRepository();
    const input = randomBytes(10_000_000);
    const result = await sandbox([...agent(), '--', 'md5sum'], { cwd: repository.path, input });
    expect(result, result.stderr).toEqual({ exitCode: 0, stdout: `${md5(input)}  -\n`, stderr: '' });
  });

  it.each([['</dev/null'], ['<&-']])('B15: cat %s ends at once with status 0', async (redirection) => {
    await using repository = await sessionRepository();
    const words = [process.execPath, ...COMMAND, ...agent(), '--', 'cat'].map((word) => `'${word}'`).join(' ');
    const result = await runProgram('sh', ['-c', `exec ${words} ${redirection}`], {
      cwd: repository.path,
      env: sessionEnvironment(),
    });
    expect(result).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });
});

describe('B16: an init process', () => {
  it('B16: two hundred orphans leave no zombie', async () => {
    await using repository = await sessionRepository();
    const script = `for i in $(seq 200); do (true & ) ; done; sleep 2; grep -l '^State:.Z' /proc/[0-9]*/status 2>/dev/null | wc -l`;
    const result = await sandbox([...agent(), '--', 'sh', '-c', script], { cwd: repository.path });
    expect(result, result.stderr).toMatchObject({ exitCode: 0, stdout: '0\n' });
  });

  it("B16: TERM to the launcher ends the session by the agent's own handler", async () => {
    await using repository = await sessionRepository();
    const script = `trap 'echo cleaned > cleaned; exit 7' TERM; echo up > up; while :; do sleep 0.1; done`;
    const running = startSandbox([...agent(), '--', 'sh', '-c', script], { cwd: repository.path });
    await waitFor(() => readFile(join(repository.path, 'up')), { timeoutMs: 30_000, what: 'the agent to run' });
    running.child.kill('SIGTERM');
    await within(running.closed, { timeoutMs: 5000, what: 'the launcher to end' });
    expect(running.child.exitCode).toBe(7);
    expect(await readFile(join(repository.path, 'cleaned'), 'utf8')).toBe('cleaned\n');
    expect(await containersOf(repository.path)).toEqual([]);
  });
});

describe('exit codes', () => {
  it.each([
    ['exit 7', 7],
    ['kill -KILL $$', 137],
    ['kill -TERM $$', 143],
  ])('%s gives %i', async (script, exitCode) => {
    await using repository = await sessionRepository();
    const result = await sandbox([...agent(), '--', 'sh', '-c', script], { cwd: repository.path });
    expect(result).toMatchObject({ exitCode, stdout: '', stderr: '' });
  });

  it('INT to the launcher reaches the agent and leaves nothing', async () => {
    await using repository = await sessionRepository();
    const running = startSandbox([...agent(), '--', 'sleep', '60'], { cwd: repository.path });
    const container = await containerOf(repository.path);
    running.child.kill('SIGINT');
    await within(running.closed, { timeoutMs: 10_000, what: 'the launcher to end' });
    expect(running.child.exitCode).toBe(130);
    expect(await containersOf(repository.path)).not.toContain(container);
  });
});
