import { join } from 'node:path';
import { stubPrograms } from '@doompi-sandbox/testkit';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { capture, createVolume, inspectVolumes, removeVolume } from '../../src/index.ts';
import { REAL_ENGINES, removeLabelled, stubEngine } from '../helpers/engine.ts';

const LABEL = 'doompi.sandbox.test';
const VALUE = `engine-volumes-${process.pid}`;

for (const { name: engineName, skip, detect } of REAL_ENGINES)
  describe.skipIf(skip !== undefined)(`on real ${engineName}`, () => {
    const name = `doompi-sandbox-test-${process.pid}-volumes`;
    afterAll(async () => removeLabelled(await detect(), `${LABEL}=${VALUE}`));

    it('creates with labels that hold anything, once, and tells them', async () => {
      const engine = await detect();
      const labels = { [LABEL]: VALUE, odd: 'a=b,c "d"\n,e' };
      await createVolume(engine, { name, labels });
      await createVolume(engine, { name, labels: { [LABEL]: 'another' } });
      const absent = `${name}-absent`;
      const found = await inspectVolumes(engine, [absent, name]);
      expect(found).toMatchObject([{ name, labels }]);
      expect(Number.isNaN(Date.parse(found[0]?.createdAt ?? ''))).toBe(false);
      expect(await inspectVolumes(engine, [absent])).toEqual([]);
      expect(await inspectVolumes(engine, [])).toEqual([]);
      expect(await removeVolume(engine, name)).toBe(true);
    });

    it('the beginning of a name is not the name', async () => {
      const engine = await detect();
      const longer = `${name}-longer`;
      await createVolume(engine, { name: longer, labels: { [LABEL]: VALUE } });
      expect(await inspectVolumes(engine, [`${name}-long`])).toEqual([]);
      expect(await removeVolume(engine, `${name}-long`)).toBe(false);
      expect(await inspectVolumes(engine, [longer])).toHaveLength(1);
    });
  });

describe('an engine that cannot tell', () => {
  it.each(['docker', 'podman', 'nerdctl'] as const)('%s: is a failure, never an absence', async (name) => {
    const stubs = await stubPrograms({ engine: 'echo "permission denied" >&2; exit 1' });
    onTestFinished(() => stubs.dispose());
    const engine = stubEngine(join(stubs.directory, 'engine'), {}, { name });
    const failed = { code: 'ENGINE_COMMAND_FAILED' };
    await expect(inspectVolumes(engine, ['v'])).rejects.toMatchObject(failed);
    await expect(createVolume(engine, { name: 'v', labels: {} })).rejects.toMatchObject(failed);
    await expect(removeVolume(engine, 'v')).rejects.toMatchObject(failed);
  });

  it('one complaint of another kind among absences is a failure', async () => {
    const stubs = await stubPrograms({ docker: 'echo "[]"; printf "no such volume: a\\ntimeout\\n" >&2; exit 1' });
    onTestFinished(() => stubs.dispose());
    const engine = stubEngine(join(stubs.directory, 'docker'));
    await expect(inspectVolumes(engine, ['a', 'b'])).rejects.toMatchObject({ code: 'ENGINE_COMMAND_FAILED' });
    await expect(capture(engine, ['x'])).resolves.toMatchObject({ exitCode: 1 });
  });

  it('B01: a warning of the client or of a wrapper beside absences is no failure', async () => {
    const warning = 'WARNING: Error loading config file: /home/u/.docker/config.json: permission denied';
    const stubs = await stubPrograms({
      docker: `echo '[{"Name":"b"}]'; printf '%s\\n' '${warning}' 'Error response from daemon: get a: no such volume' 'Error: No such volume: c' >&2; exit 1`,
    });
    onTestFinished(() => stubs.dispose());
    const engine = stubEngine(join(stubs.directory, 'docker'));
    expect(await inspectVolumes(engine, ['a', 'b', 'c'])).toMatchObject([{ name: 'b' }]);
  });

  it.each(['', '-v', 'a b', '../x'])('refuses the name %j', async (name) => {
    const engine = stubEngine('/nonexistent');
    await expect(inspectVolumes(engine, [name])).rejects.toThrow(TypeError);
    await expect(createVolume(engine, { name, labels: {} })).rejects.toThrow(TypeError);
    await expect(removeVolume(engine, name)).rejects.toThrow(TypeError);
  });
});
