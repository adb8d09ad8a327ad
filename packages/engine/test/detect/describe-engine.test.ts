import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeEngine } from '../../src/index.ts';
import { stubs, print } from '../helpers/detection.ts';
import { REAL_ENGINES, stubEngine } from '../helpers/engine.ts';

for (const { name, skip, detect } of REAL_ENGINES)
  describe.skipIf(skip !== undefined)(`on real ${name}`, () => {
    it('knows what a report shows', async () => {
      const details = await describeEngine(await detect());
      expect(details.cgroupVersion).toMatch(/^[12]$/);
      expect(details.storageDriver).toMatch(/^[a-z]/);
      expect(details.runtimes).toContain(details.defaultRuntime);
      expect(details.securityOptions).toContain('seccomp');
      expect(details.builder).toBe(name === 'podman' ? 'buildah' : details.builder);
    });
  });

describe('describeEngine', () => {
  it('is a failure where the engine does not answer', async () => {
    const { directory } = await stubs({ podman: 'exit 125' });
    const podman = stubEngine(join(directory, 'podman'), {}, { name: 'podman', endpoint: undefined });
    await expect(describeEngine(podman)).rejects.toMatchObject({ code: 'ENGINE_COMMAND_FAILED' });
    const docker = stubEngine('/bin/false', {}, { endpoint: { transport: 'unix', path: '/nonexistent.sock' } });
    await expect(describeEngine(docker)).rejects.toMatchObject({ code: 'ENGINE_UNREACHABLE', details: { reason: 'no-socket' } });
  });

  it("reads nerdctl's, which leaves out what it does not know", async () => {
    const { directory } = await stubs({
      nerdctl: print('{"Driver":"overlayfs","CgroupVersion":"2","SecurityOptions":["name=cgroupns"]}'),
    });
    const nerdctl = stubEngine(join(directory, 'nerdctl'), {}, { name: 'nerdctl', endpoint: undefined });
    expect(await describeEngine(nerdctl)).toEqual({
      operatingSystem: undefined,
      kernelVersion: undefined,
      cgroupVersion: '2',
      storageDriver: 'overlayfs',
      runtimes: [],
      defaultRuntime: undefined,
      securityOptions: ['cgroupns'],
      builder: 'buildctl',
    });
  });
});
