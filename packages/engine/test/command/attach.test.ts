import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { attach } from '../../src/index.ts';
import { stubEngine } from '../helpers/engine.ts';

const sh = stubEngine('/bin/sh', { FROM_ENGINE: 'e' });

describe('attach', () => {
  it('gives its streams, its exit code and the environment of both', async () => {
    const child = attach(sh, ['-c', 'cat; echo "$FROM_ENGINE$FROM_CALL"; exit 5'], {
      environment: { FROM_CALL: 'c' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin?.end('in:');
    expect(await text(child.stdout ?? Readable.from([]))).toBe('in:ec\n');
    expect(await child.exited).toEqual({ exitCode: 5 });
    expect(child.stderr).toBeNull();
  });

  it("takes one of the client's own variables away", async () => {
    const child = attach(sh, ['-c', 'echo "${FROM_ENGINE-unset}"'], {
      environment: { FROM_ENGINE: undefined },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(await text(child.stdout ?? Readable.from([]))).toBe('unset\n');
  });

  it('tells the signal that ended it, and that it is gone', async () => {
    const child = attach(sh, ['-c', 'exec sleep 60'], { environment: {}, stdio: 'ignore' });
    expect(child.kill('SIGTERM')).toBe(true);
    expect(await child.exited).toEqual({ signal: 'SIGTERM' });
    expect(child.kill('SIGTERM')).toBe(false);
  });

  it('rejects when it could not be started', async () => {
    const child = attach(stubEngine('/nonexistent/docker'), ['run'], { environment: {}, stdio: 'ignore' });
    expect(child.pid).toBeUndefined();
    await expect(child.exited).rejects.toMatchObject({ code: 'ENGINE_NOT_SPAWNED' });
  });

  it('leads a process group of its own when detached', async () => {
    const child = attach(sh, ['-c', 'cut -d" " -f5 /proc/$$/stat'], {
      environment: { PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    expect((await text(child.stdout ?? Readable.from([]))).trim()).toBe(String(child.pid));
    await child.exited;
  });
});
