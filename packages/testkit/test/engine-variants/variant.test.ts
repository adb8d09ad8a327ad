import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { engineVariant, temporaryDirectory, type EngineVariant } from '../../src/index.ts';

/** What set-up would have written about docker-userns alone. */
const record = async (directory: string, variant: object): Promise<string> => {
  const file = join(directory, 'engines.json');
  await writeFile(file, JSON.stringify({ variants: [{ id: 'docker-userns', engine: 'docker', ...variant }] }));
  return file;
};

describe('an engine variant', () => {
  it('is there when its daemon listens', async () => {
    await using directory = await temporaryDirectory();
    const socket = join(directory.path, 'docker.sock');
    await using server = createServer().listen(socket);
    const file = await record(directory.path, { environment: { DOCKER_HOST: `unix://${socket}` }, runtimes: ['runsc'] });
    expect(await engineVariant('docker-userns', { file, env: { CI: 'true' } })).toEqual<EngineVariant>({
      id: 'docker-userns',
      engine: 'docker',
      user: undefined,
      environment: { DOCKER_HOST: `unix://${socket}` },
      runtimes: ['runsc'],
    });
    expect(server.listening).toBe(true);
  });

  it('is a reason when its daemon is dead, when set-up could not make it, and before set-up', async () => {
    await using directory = await temporaryDirectory();
    const socket = `unix://${join(directory.path, 'docker.sock')}`;
    const dead = await record(directory.path, { environment: { DOCKER_HOST: socket } });
    expect(await engineVariant('docker-userns', { file: dead, env: {} })).toContain(`nobody listens on ${socket}`);
    const without = await record(directory.path, { unavailable: 'no dockerd', environment: {} });
    expect(await engineVariant('docker-userns', { file: without, env: {} })).toBe('no dockerd (engine variant docker-userns)');
    expect(await engineVariant('podman', { file: without, env: {} })).toContain('set-up did not prepare');
    expect(await engineVariant('podman', { file: '/nonexistent', env: { CI: '' } })).toContain('npm test');
  });

  it('is read from the file that DOOMPI_TEST_ENGINES names, in a copy that has no set-up of its own', async () => {
    await using directory = await temporaryDirectory();
    const file = await record(directory.path, { unavailable: 'from there', environment: {} });
    expect(await engineVariant('docker-userns', { env: { DOOMPI_TEST_ENGINES: file } })).toContain('from there');
  });

  it('fails where CI is set, unless set-up excused it', async () => {
    await using directory = await temporaryDirectory();
    const env = { CI: 'true' };
    const missing = await record(directory.path, { unavailable: 'apt-get failed', environment: {} });
    await expect(engineVariant('docker-userns', { file: missing, env })).rejects.toThrow('apt-get failed');
    await expect(engineVariant('podman', { file: missing, env })).rejects.toThrow('set-up did not prepare');
    const excused = await record(directory.path, { unavailable: 'no tun', excused: true, environment: {} });
    expect(await engineVariant('docker-userns', { file: excused, env })).toBe('no tun (engine variant docker-userns)');
  });
});
