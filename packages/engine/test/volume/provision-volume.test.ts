import { dockerGate, runProgram } from '@doompi-sandbox/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import {
  capture,
  detectEngine,
  inspectVolumes,
  listContainers,
  provisionVolume,
  removeVolume,
  runArguments,
} from '../../src/index.ts';
import { TEST_IMAGE } from '../helpers/engine.ts';

const LABEL = 'doompi.sandbox.test';
const VALUE = `volume-${process.pid}`;

const podmanAnswers = async (): Promise<boolean> =>
  runProgram('podman', ['image', 'inspect', TEST_IMAGE]).then(
    ({ exitCode }) => exitCode === 0,
    () => false,
  );

const engines = [
  { name: 'docker', reason: await dockerGate() },
  { name: 'podman', reason: (await podmanAnswers()) ? undefined : `podman holds no ${TEST_IMAGE}` },
] as const;

describe.each(engines)('provisionVolume on real $name', ({ name, reason }) => {
  if (reason !== undefined) console.warn(`skipped: ${reason}`);
  const volume = `doompi-sandbox-${name}-${VALUE}`;
  afterAll(async () => {
    if (reason === undefined) await removeVolume(await detectEngine({ environment: process.env, override: name }), volume);
  });

  it.skipIf(reason !== undefined)(
    'B06, B11: makes a volume that an ordinary user can write at a path the image does not have',
    async () => {
      const engine = await detectEngine({ environment: process.env, override: name });
      const labels = { [LABEL]: VALUE };
      const seed = { image: TEST_IMAGE, directory: '/tmp' };
      await provisionVolume(engine, { name: volume, labels, seed, containerLabels: labels });
      expect(await inspectVolumes(engine, [volume])).toMatchObject([{ name: volume, labels }]);
      expect(await listContainers(engine, { labels })).toEqual([]);
      const args = runArguments(
        {
          image: TEST_IMAGE,
          command: ['sh', '-c', 'touch /not/there/file && ls -n /not/there'],
          interactive: false,
          tty: false,
          labels,
          mounts: [{ type: 'volume', source: volume, target: '/not/there' }],
          environment: [],
          workdir: '/',
          network: 'none',
          pull: 'never',
          user: { uid: 1234, gid: 1234 },
        },
        engine,
      );
      const { exitCode, stdout, stderr } = await capture(engine, args);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toMatch(/ 1234 +1234 .* file\n/);
    },
  );
});
