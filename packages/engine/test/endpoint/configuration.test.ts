import { join } from 'node:path';
import { temporaryDirectory } from '@doompi-sandbox/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { detectEngine } from '../../src/index.ts';
import { DOCKER, failure, PODMAN, printing, stubs } from '../helpers/detection.ts';
import { engineApi } from '../helpers/engine-api.ts';

const repository = async (): Promise<string> => {
  const { path, dispose } = await temporaryDirectory();
  onTestFinished(() => dispose());
  return path;
};

describe('configuration that names programs', () => {
  it.each([
    ['docker', 'DOCKER_CONFIG'],
    ['docker', 'DOCKER_CERT_PATH'],
    ['podman', 'CONTAINERS_CONF'],
    ['podman', 'XDG_CONFIG_HOME'],
  ])('S03: %s is not used while %s is relative or lies in the repository', async (name, variable) => {
    const { path: DOCKER_HOST } = await engineApi();
    const programs = await stubs({ docker: printing(DOCKER), podman: printing(PODMAN) });
    const repoRoot = await repository();
    const environment = { PATH: programs.path, DOCKER_HOST, HOME: '/home/me' };
    const refused = async (value: string): Promise<unknown> =>
      (await failure({ environment: { ...environment, [variable]: value }, override: name, repoRoot })).details;
    expect(await refused('.docker')).toEqual({ engine: name, variable, reason: 'relative' });
    expect(await refused(join(repoRoot, 'config'))).toEqual({ engine: name, variable, reason: 'inside-repository' });
    // Not even started: the command would run helpers that its configuration names.
    expect(await programs.calls(name)).toEqual([]);
    const outside = { ...environment, [variable]: '/etc/elsewhere' };
    expect((await detectEngine({ environment: outside, override: name, repoRoot })).name).toBe(name);
  });

  it('a home directory that is the repository keeps its own configuration', async () => {
    const { path: DOCKER_HOST } = await engineApi();
    const { path } = await stubs({ docker: printing(DOCKER) });
    const repoRoot = await repository();
    const environment = { PATH: path, DOCKER_HOST, HOME: repoRoot, DOCKER_CONFIG: join(repoRoot, '.docker') };
    expect((await detectEngine({ environment, repoRoot })).name).toBe('docker');
  });
});
