import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { stubPrograms, temporaryDirectory, waitFor } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { createConsent } from '../setup/consent.mjs';
import { needRoom } from '../setup/disk.mjs';
import { ensureEngine } from '../setup/engine/ensure.mjs';
import { Interrupted } from '../setup/failure.mjs';
import { createRunner } from '../setup/run.mjs';
import { testContext } from './context.ts';

const LOCK = fileURLToPath(new URL('../setup/lock.mjs', import.meta.url));

const { signal } = new AbortController();

describe('consent', () => {
  const ask = async (setting: { readonly yes?: boolean; readonly env?: Record<string, string> }): Promise<readonly string[]> => {
    const { lines, report } = testContext('/nonexistent');
    const stream = new PassThrough() as unknown as NodeJS.ReadStream & NodeJS.WriteStream;
    const consent = createConsent({ yes: false, env: {}, input: stream, output: stream, report, signal, ...setting });
    await consent('install things');
    return lines;
  };

  it('S15: goes on with --yes or CI, saying so', async () => {
    expect(await ask({ yes: true })).toEqual(['--yes is given, so set-up goes on to install things']);
    expect(await ask({ env: { CI: 'true' } })).toEqual(['CI is set, so set-up goes on to install things']);
  });

  it('S15: stops where nobody can be asked, and says how to go on', async () => {
    await expect(ask({})).rejects.toMatchObject({ next: expect.stringContaining('--yes') as unknown });
    await expect(ask({ env: { CI: '' } })).rejects.toThrow('no terminal');
  });
});

describe('programs that set-up runs', () => {
  it('end with all their children when set-up is interrupted', async () => {
    await using directory = await temporaryDirectory();
    const pidFile = join(directory.path, 'pid');
    const stop = new AbortController();
    const run = createRunner({ env: process.env, signal: stop.signal });
    const running = run('sh', ['-c', `sleep 1000 & echo $! >${pidFile}; wait`]);
    const pid = await waitFor(async () => Number(await readFile(pidFile, 'utf8').catch(() => '')) || undefined);
    stop.abort(new Interrupted('SIGINT'));
    await expect(running).rejects.toThrow('interrupted by SIGINT');
    await waitFor(async () => /^\d+ \(.*\) Z|^$/.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
    await expect(run('true', [])).rejects.toThrow('interrupted by SIGINT');
  });

  it('are waited for when they must not end half-way', async () => {
    const stop = new AbortController();
    const run = createRunner({ env: process.env, signal: stop.signal });
    await using directory = await temporaryDirectory();
    const done = join(directory.path, 'done');
    const running = run('sh', ['-c', `echo begun; sleep 0.3; echo whole >${done}`], {
      finish: true,
      onLine: () => stop.abort(new Interrupted('SIGTERM')),
    });
    await expect(running).rejects.toThrow('interrupted by SIGTERM');
    expect(await readFile(done, 'utf8')).toBe('whole\n');
  });

  it('are results when missing, failing or late', async () => {
    const run = createRunner({ env: process.env, signal });
    expect(await run('/nonexistent/x', [])).toMatchObject({ missing: true, ok: false, exitCode: 127 });
    expect(await run('sh', ['-c', 'echo a; echo b >&2; exit 4'])).toMatchObject({
      ok: false,
      exitCode: 4,
      stdout: 'a\n',
      stderr: 'b\n',
    });
    expect(await run('sleep', ['1000'], { timeoutMs: 100 })).toMatchObject({ ok: false, timedOut: true });
  });
});

describe('the lock', () => {
  const take = (directory: string): ReturnType<typeof spawn> => {
    const source = `
      import { takeLock } from ${JSON.stringify(LOCK)};
      const report = { note: (text) => console.log(text) };
      const directory = ${JSON.stringify(directory)};
      const release = await takeLock({ env: process.env, report, signal: new AbortController().signal, directory });
      console.log('held');
      process.stdin.once('data', () => { release(); process.stdin.destroy(); });`;
    return spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['pipe', 'pipe', 'inherit'] });
  };
  const nextLine = async ({ stdout }: ReturnType<typeof spawn>): Promise<string> =>
    String((await once(stdout as NonNullable<typeof stdout>, 'data'))[0]).trim();

  it('lets one set-up in, and the next after its end, also a hard one', async () => {
    await using directory = await temporaryDirectory();
    const first = take(directory.path);
    expect(await nextLine(first)).toBe('held');
    const second = take(directory.path);
    expect(await nextLine(second)).toMatch(/another set-up runs/);
    first.kill('SIGKILL');
    expect(await nextLine(second)).toBe('held');
    second.stdin?.write('end\n');
    expect(await once(second, 'exit')).toEqual([0, null]);
  });
});

describe('the engine', () => {
  it('is left alone when it answers and the tools are there', async () => {
    await using stubs = await stubPrograms({ docker: 'echo 28.2.2', curl: '', git: '', openssl: '', ps: '', ss: '' });
    const context = testContext(stubs.path);
    await ensureEngine(context);
    expect(context.lines).toEqual(['skip engine: docker 28.2.2 answers']);
    expect(context.asked).toEqual([]);
  });

  it('is not started here when DOCKER_HOST points elsewhere', async () => {
    await using stubs = await stubPrograms({
      docker: 'echo "Cannot connect to tcp://x:1" >&2; exit 1',
      git: '',
      curl: '',
      openssl: '',
      ss: '',
      ps: '',
    });
    const context = testContext(stubs.path, { DOCKER_HOST: 'tcp://x:1' });
    await expect(ensureEngine(context)).rejects.toThrow('DOCKER_HOST=tcp://x:1 does not answer');
    expect(context.asked).toEqual([]);
  });
});

describe('disk', () => {
  it('is refused before it is full', async () => {
    await needRoom('/nonexistent/deep/path', 1, 'a test');
    await expect(needRoom('/nonexistent/deep/path', 1e12, 'a test')).rejects.toThrow('Not enough disk for a test');
  });
});
