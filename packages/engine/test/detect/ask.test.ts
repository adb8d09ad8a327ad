import { join } from 'node:path';
import { stubPrograms, waitFor } from '@doompi-sandbox/testkit';
import { readFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../../src/detect/ask.ts';

const program = async (script: string): Promise<string> => {
  const stubs = await stubPrograms({ finch: script });
  onTestFinished(() => stubs.dispose());
  return join(stubs.directory, 'finch');
};

const never = new AbortController().signal;
const environment = { PATH: '/usr/bin:/bin' };

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('ask', () => {
  it('gives both streams and any exit status; stdin is at its end', async () => {
    const file = await program('cat; echo out; echo err >&2; exit 3');
    expect(await ask(file, ['version'], { environment, signal: never })).toEqual({
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });

  it('B01: gives it a session of its own, which has no terminal to ask at', async () => {
    const file = await program('echo $$ $(ps -o sid= -p $$)');
    const [pid, session] = (await ask(file, [], { environment, signal: never })).stdout.trim().split(' ');
    expect(session).toBe(pid);
  });

  it('B02: ends the whole process group, and does not wait for what holds its pipes', async () => {
    const file = await program('sleep 60 & echo $! >"$0.pid"; wait');
    const end = new AbortController();
    const asking = ask(file, [], { environment, signal: end.signal });
    const pid = await waitFor(async () => Number(await readFile(`${file}.pid`, 'utf8').catch(() => '')) || undefined, {
      what: 'child',
    });
    const reason = new Error('enough');
    end.abort(reason);
    await expect(asking).rejects.toBe(reason);
    await waitFor(() => (isAlive(pid) ? undefined : true), { what: 'the end of the child' });
  });

  it('B02: a child left behind with its pipes does not hold back the answer', async () => {
    const file = await program('setsid sleep 5 & echo started');
    const started = performance.now();
    expect((await ask(file, [], { environment, signal: never })).stdout).toBe('started\n');
    expect(performance.now() - started).toBeLessThan(4000);
  });

  it('refuses an endless answer', async () => {
    const file = await program('exec yes');
    await expect(ask(file, [], { environment, signal: never })).rejects.toMatchObject({ code: 'ENGINE_ANSWER_UNREADABLE' });
  });

  it('tells a program that cannot be started', async () => {
    await expect(ask('/nonexistent/finch', ['version'], { environment, signal: never })).rejects.toMatchObject({
      code: 'ENGINE_NOT_SPAWNED',
      details: { command: 'version' },
    });
  });
});
