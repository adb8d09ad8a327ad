import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { stubPrograms } from '@doompi-sandbox/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { capture, type Engine, type EngineCommandEvent } from '../../src/index.ts';
import { stubEngine } from '../helpers/engine.ts';

const engineOf = async (script: string, environment?: Record<string, string>): Promise<Engine> => {
  const stubs = await stubPrograms({ docker: script });
  onTestFinished(() => stubs.dispose());
  return stubEngine(join(stubs.directory, 'docker'), environment);
};

describe('capture', () => {
  it('gives both streams untouched, and any exit status', async () => {
    const engine = await engineOf("printf ' out \\n\\n'; printf 'err\\n' >&2; exit 3");
    expect(await capture(engine, ['x'])).toEqual({ exitCode: 3, stdout: ' out \n\n', stderr: 'err\n' });
  });

  it('hands on exactly the environment of the engine and the call', async () => {
    const engine = await engineOf('/usr/bin/env -0', { A: '1', B: '1' });
    const { stdout } = await capture(engine, [], { environment: { B: '2\n' } });
    const names = stdout.split('\0').filter((entry) => /^(?:A|B|HOME|PATH)=/.test(entry));
    expect(names.toSorted()).toEqual(['A=1', 'B=2\n']);
  });

  it('feeds input, and without it ends stdin at once', async () => {
    const engine = await engineOf('exec /bin/cat');
    expect((await capture(engine, [], { input: 'abc' })).stdout).toBe('abc');
    expect((await capture(engine, [])).stdout).toBe('');
  });

  it('tells death by a signal as 128 and its number', async () => {
    expect((await capture(await engineOf('kill -KILL $$'), [])).exitCode).toBe(137);
  });

  it('ends a command at its deadline', async () => {
    await expect(capture(await engineOf('exec /bin/sleep 60'), ['image', 'ls'], { timeoutMs: 200 })).rejects.toMatchObject({
      code: 'ENGINE_TIMEOUT',
      details: { command: 'image ls', timeoutMs: 200 },
    });
  });

  it('B02: a deadline holds also for a wrapper whose child keeps the pipes', async () => {
    const engine = await engineOf('/bin/sleep 20; exit 0');
    const started = performance.now();
    await expect(capture(engine, ['image', 'inspect'], { timeoutMs: 200 })).rejects.toMatchObject({ code: 'ENGINE_TIMEOUT' });
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('B02: a child left behind with the pipes does not hold back the answer, nor cut it', async () => {
    const engine = await engineOf('/bin/sleep 20 & echo early; exit 3');
    const started = performance.now();
    expect(await capture(engine, ['x'])).toEqual({ exitCode: 3, stdout: 'early\n', stderr: '' });
    const million = await capture(await engineOf('/bin/sleep 20 & /usr/bin/head -c 1000000 /dev/zero'), ['x']);
    expect(million.stdout).toHaveLength(1_000_000);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("is rejected with the signal's reason, before and after the start", async () => {
    const engine = await engineOf('exec /bin/sleep 60');
    const reason = new Error('enough');
    await expect(capture(engine, [], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const running = capture(engine, [], { signal: controller.signal });
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
  });

  it('throws for a command that is not there', async () => {
    await expect(capture(stubEngine('/nonexistent/docker'), ['ps'])).rejects.toMatchObject({
      code: 'ENGINE_NOT_SPAWNED',
      details: { file: '/nonexistent/docker', command: 'ps' },
    });
  });

  it('S14: publishes the subcommand and none of its arguments', async () => {
    const events: EngineCommandEvent[] = [];
    const listen = (event: unknown): void => void events.push(event as EngineCommandEvent);
    subscribe('doompi-sandbox:engine:command', listen);
    onTestFinished(() => void unsubscribe('doompi-sandbox:engine:command', listen));
    const engine = await engineOf('exit 4');
    await capture(engine, ['image', 'inspect', 'private-name']);
    await capture(engine, ['run', '--env', 'KEY', 'image']);
    expect(events).toMatchObject([
      { file: engine.file, command: 'image inspect', exitCode: 4 },
      { command: 'run', exitCode: 4 },
    ]);
  });
});
