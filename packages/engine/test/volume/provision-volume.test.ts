import { afterAll, describe, expect, it } from 'vitest';
import { capture, inspectVolumes, listContainers, provisionVolume, runArguments } from '../../src/index.ts';
import { REAL_ENGINES, removeLabelled, runSpec, TEST_IMAGE } from '../helpers/engine.ts';

const LABEL = 'doompi.sandbox.test';
const VALUE = `volume-${process.pid}`;

for (const { name, skip, detect } of REAL_ENGINES)
  describe.skipIf(skip !== undefined)(`provisionVolume on real ${name}`, () => {
    afterAll(async () => removeLabelled(await detect(), `${LABEL}=${VALUE}`));

    it('B06, B11: makes a volume that an ordinary user can write at a path the image does not have', async () => {
      const engine = await detect();
      const volume = `doompi-sandbox-${name}-${VALUE}`;
      const labels = { [LABEL]: VALUE };
      const seed = { image: TEST_IMAGE, directory: '/tmp' };
      await provisionVolume(engine, { name: volume, labels, seed, containerLabels: labels });
      expect(await inspectVolumes(engine, [volume])).toMatchObject([{ name: volume, labels }]);
      expect(await listContainers(engine, { labels })).toEqual([]);
      const run = runSpec(`${LABEL}=${VALUE}`, {
        command: ['sh', '-c', 'touch /not/there/file && ls -n /not/there'],
        mounts: [{ type: 'volume', source: volume, target: '/not/there' }],
        user: { uid: 1234, gid: 1234 },
      });
      const { exitCode, stdout, stderr } = await capture(engine, runArguments(run, engine));
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toMatch(/ 1234 +1234 .* file\n/);
    });
  });
