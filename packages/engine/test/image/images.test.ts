import { join } from 'node:path';
import { stubPrograms } from '@doompi-sandbox/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { type Engine, pullImage, removeImage } from '../../src/index.ts';
import { stubEngine } from '../helpers/engine.ts';

const stub = async (script: string): Promise<Engine> => {
  const stubs = await stubPrograms({ docker: script });
  onTestFinished(() => stubs.dispose());
  return stubEngine(join(stubs.directory, 'docker'), { PATH: '/usr/bin:/bin' });
};

it("a pull that fails carries the engine's own words", async () => {
  const engine = await stub('echo "manifest unknown" >&2; exit 1');
  await expect(pullImage(engine, 'base:1')).rejects.toMatchObject({
    code: 'ENGINE_COMMAND_FAILED',
    details: { command: 'pull', exitCode: 1, stderr: 'manifest unknown' },
  });
});

it("a pull stops at the signal, with the signal's reason", async () => {
  const controller = new AbortController();
  const engine = await stub('exec sleep 60');
  const pulling = pullImage(engine, 'base:1', { signal: controller.signal });
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(pulling).rejects.toBe(reason);
});

it.each([
  ['was removed', 'exit 0', true],
  ['is in use', 'case "$2" in rm) exit 1 ;; *) echo "[{}]" ;; esac', false],
  ['was gone', 'case "$2" in rm) exit 1 ;; *) echo "Error: No such image: x" >&2; exit 1 ;; esac', true],
])('an image that %s', async (_, script, expected) => {
  expect(await removeImage(await stub(script), 'sha256:abc')).toBe(expected);
});

it('an engine that cannot be asked is an error, and not an image that stays', async () => {
  const engine = await stub('echo "Cannot connect" >&2; exit 1');
  await expect(removeImage(engine, 'sha256:abc')).rejects.toMatchObject({ code: 'ENGINE_COMMAND_FAILED' });
});

it.each(['', '--force', ' x'])('the reference %j is refused', async (reference) => {
  await expect(pullImage(stubEngine('/nonexistent'), reference)).rejects.toThrow(TypeError);
  await expect(removeImage(stubEngine('/nonexistent'), reference)).rejects.toThrow(TypeError);
});
