import { EventEmitter } from 'node:events';
import { access, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  dockerGate,
  removeByLabel,
  runProgram,
  scratchRepository,
  spawnInTerminal,
  stubPrograms,
  temporaryDirectory,
  waitFor,
  waitForEvent,
  within,
} from '../src/index.ts';

describe('temporaryDirectory and scratchRepository', () => {
  it('are private and go away with all in them', async () => {
    let path = '';
    {
      await using directory = await temporaryDirectory();
      path = directory.path;
      expect((await stat(path)).mode & 0o777).toBe(0o700);
      await writeFile(join(path, 'file'), 'x');
    }
    await expect(access(path)).rejects.toThrow('ENOENT');
  });

  it('make a repository with one commit at any path', async () => {
    await using repository = await scratchRepository({ name: `a b:c,d'"\\é`, files: { 'deep/file.txt': 'x' } });
    expect((await repository.git('log', '--format=%s')).trim()).toBe('First commit');
    expect(await repository.git('status', '--porcelain')).toBe('');
    expect(await readFile(join(repository.path, 'deep/file.txt'), 'utf8')).toBe('x');
  });
});

describe('runProgram', () => {
  it('hands on input, environment, both outputs and the exit status', async () => {
    const result = await runProgram('/bin/sh', ['-c', 'cat; echo "$ONLY" >&2; exit 3'], { input: 'in', env: { ONLY: 'this' } });
    expect(result).toMatchObject({ exitCode: 3, signal: undefined, stdout: 'in', stderr: 'this\n' });
  });

  it('reports the signal that ended it', async () => {
    expect(await runProgram('/bin/sh', ['-c', 'kill -TERM $$'])).toMatchObject({ exitCode: undefined, signal: 'SIGTERM' });
  });

  it('ends a program that hangs, its children too, and shows what it wrote', async () => {
    const script = 'echo early; sleep 1000 & echo $! >&2; wait';
    const failure = await runProgram('/bin/sh', ['-c', script], { timeoutMs: 300 }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining('early') as unknown });
    const child = Number(/stderr\n(\d+)/.exec((failure as Error).message)?.[1]);
    await waitFor(async () => !(await isRunning(child)), { what: 'the child to be gone' });
  });

  it('says when a program is not there', async () => {
    await expect(runProgram('/nonexistent/program', [])).rejects.toThrow('could not be started');
  });
});

/** A zombie that nobody has reaped yet counts as ended. */
const isRunning = async (pid: number): Promise<boolean> => {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status !== '' && !/\) [ZX]/.test(status);
};

describe('stubPrograms', () => {
  it('are found on PATH and record their arguments byte for byte', async () => {
    await using stubs = await stubPrograms({ docker: 'echo "hello $1"; exit 4', raw: '#!/bin/sh\necho raw' });
    const args = ['a b', '', "q'", 'new\nline', '$x'];
    const result = await runProgram('docker', args, { env: { PATH: stubs.path } });
    expect(result).toMatchObject({ exitCode: 4, stdout: 'hello a b\n' });
    await runProgram(join(stubs.directory, 'docker'), []);
    expect(await stubs.calls('docker')).toEqual([args, []]);
    expect((await runProgram('raw', [], { env: { PATH: stubs.pathBefore() } })).stdout).toBe('raw\n');
    expect(await stubs.calls('raw')).toEqual([]);
  });
});

describe('dockerGate', () => {
  const stub = { docker: 'echo "Cannot connect to the daemon" >&2; exit 1' };

  it('names the reason where docker does not answer', async () => {
    await using stubs = await stubPrograms(stub);
    expect(await dockerGate({ env: { PATH: stubs.path } })).toContain('Cannot connect to the daemon');
    expect(await dockerGate({ env: { PATH: '/nonexistent' } })).toContain('could not be started');
    await using hanging = await stubPrograms({ docker: 'read -r line </dev/zero' });
    expect(await dockerGate({ env: { PATH: hanging.path }, timeoutMs: 200 })).toContain('ran longer');
  });

  it('fails instead where CI is set', async () => {
    await using stubs = await stubPrograms(stub);
    await expect(dockerGate({ env: { PATH: stubs.path, CI: 'true' } })).rejects.toThrow('Cannot connect to the daemon');
  });

  it('is silent where docker answers', async () => {
    await using stubs = await stubPrograms({ docker: 'echo 20.10' });
    expect(await dockerGate({ env: { PATH: stubs.path, CI: 'true' } })).toBeUndefined();
  });
});

describe('waiting', () => {
  it('gives the first answer that holds, and the last error in vain', async () => {
    let asked = 0;
    expect(await waitFor(() => (++asked > 2 ? asked : undefined))).toBe(3);
    const boom = (): never => {
      throw new Error('boom');
    };
    await expect(waitFor(boom, { timeoutMs: 50, what: 'a boom' })).rejects.toMatchObject({
      message: 'Waited 50 ms for a boom in vain',
      cause: { message: 'boom' },
    });
  });

  it('picks one event of many', async () => {
    const emitter = new EventEmitter();
    const seen = waitForEvent(emitter, 'data', { when: (value) => value === 2 });
    setImmediate(() => [1, 2, 3].map((value) => emitter.emit('data', value)));
    expect(await seen).toEqual([2]);
    await expect(waitForEvent(emitter, 'other', { timeoutMs: 20 })).rejects.toThrow('Waited 20 ms for event other in vain');
    expect(emitter.eventNames()).toEqual([]);
  });

  it('names a promise that never settles', async () => {
    await expect(within(new Promise(() => {}), { timeoutMs: 20, what: 'never' })).rejects.toThrow('for never in vain');
    expect(await within(Promise.resolve(1))).toBe(1);
  });
});

describe('spawnInTerminal', () => {
  it('gives the program a terminal of the size asked for, which can be resized and typed into', async () => {
    const script = `
      const size = () => console.log(process.stdout.rows + ' ' + process.stdout.columns);
      process.stdout.on('resize', size);
      process.stdin.on('data', (line) => { console.log('got ' + line); process.exit(5); });
      size();`;
    await using terminal = spawnInTerminal(process.execPath, ['-e', script], { columns: 91, rows: 31 });
    await terminal.waitForOutput('31 91');
    terminal.resize(70, 20);
    await terminal.waitForOutput('20 70');
    terminal.write('bye\r');
    await terminal.waitForOutput(/got bye/);
    expect(await terminal.exited).toEqual({ exitCode: 5, signal: 0 });
  });

  it('says when the program ends without the text', async () => {
    await using terminal = spawnInTerminal('/bin/sh', ['-c', 'echo other']);
    await expect(terminal.waitForOutput('expected')).rejects.toThrow(/ended without writing expected[^]*other/);
  });
});

describe('removeByLabel', () => {
  it('removes what carries the label and leaves the rest', async ({ skip }) => {
    const reason = await dockerGate();
    if (reason !== undefined) skip(reason);
    const id = `testkit-${process.pid}-${Date.now()}`;
    const label = `doompi.sandbox.test=${id}`;
    const docker = async (...args: readonly string[]): Promise<string> => (await runProgram('docker', args)).stdout.trim();
    await docker('volume', 'create', '--label', label, id);
    await docker('volume', 'create', '--label', 'doompi.sandbox.test=testkit-other', `${id}-other`);
    try {
      expect(await removeByLabel(label)).toBe(1);
      expect(await docker('volume', 'ls', '--quiet', '--filter', `name=${id}`)).toBe(`${id}-other`);
    } finally {
      await docker('volume', 'rm', '--force', id, `${id}-other`);
    }
  });
});
