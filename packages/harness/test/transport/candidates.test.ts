import { describe, expect, it } from 'vitest';
import { isLaunchError } from '../../src/index.ts';
import { planTransports, type TransportEngine, type TransportInput } from '../../src/transport/candidates.ts';

const engine = (overrides: Partial<TransportEngine> = {}): TransportEngine => ({
  name: 'docker',
  clientVersion: '28.2.2',
  location: 'native',
  rootless: false,
  usernsRemap: false,
  ...overrides,
});

const plan = (setting: TransportInput['setting'], overrides: Partial<TransportEngine> = {}, runtime?: string) =>
  planTransports({ setting, engine: engine(overrides), runtime });

describe('transports', () => {
  it.each([
    ['docker', {}, undefined, ['socket', 'tunnel'], 'when-late'],
    ['rootless docker', { rootless: true }, undefined, ['socket', 'tunnel'], 'when-late'],
    ['podman', { name: 'podman' }, undefined, ['socket', 'tunnel'], 'when-late'],
    ['rootless podman', { name: 'podman', rootless: true }, undefined, ['socket', 'tunnel'], 'when-late'],
    ['another runtime of the same kernel', {}, 'crun', ['socket', 'tunnel'], 'when-late'],
    ['gVisor', {}, 'runsc', ['socket', 'tunnel'], 'at-once'],
    ['gVisor under another name', {}, 'runsc-uds', ['socket', 'tunnel'], 'at-once'],
    ['Kata Containers', {}, 'kata-qemu', ['socket', 'tunnel'], 'at-once'],
    ['docker in a virtual machine', { location: 'vm' }, undefined, ['tcp', 'tunnel'], 'when-late'],
    ['a remote engine', { location: 'remote' }, undefined, ['tunnel'], 'at-once'],
  ] as const)('by themselves, on %s', (_name, overrides, runtime, candidates, dial) => {
    expect(plan('auto', overrides, runtime)).toMatchObject({ candidates, dial });
  });

  it.each([
    ['socket', 'never'],
    ['tcp', 'never'],
    ['tunnel', 'at-once'],
  ] as const)('%s alone when it was named, whatever the engine', (setting, dial) => {
    for (const location of ['native', 'vm'] as const)
      expect(plan(setting, { location }, 'runsc')).toMatchObject({ candidates: [setting], dial });
  });

  it.each([
    ['docker', {}, { listen: 'gateway' }],
    ['nerdctl', { name: 'nerdctl' }, { listen: 'gateway' }],
    ['podman', { name: 'podman' }, { listen: 'loopback', host: '10.0.2.2', network: 'slirp4netns:allow_host_loopback=true' }],
    [
      'rootless podman',
      { name: 'podman', rootless: true },
      { listen: 'loopback', host: '10.0.2.2', network: 'slirp4netns:allow_host_loopback=true' },
    ],
    ['docker in a virtual machine', { location: 'vm' }, { listen: 'loopback', host: 'host.docker.internal' }],
    ['podman in a virtual machine', { name: 'podman', location: 'vm' }, { listen: 'loopback', host: 'host.containers.internal' }],
  ] as const)('tcp on %s', (_name, overrides, tcp) => {
    expect(plan('tcp', overrides).tcp).toEqual(tcp);
  });

  it('never open the loopback interface of this host unasked', () => {
    for (const name of ['docker', 'podman', 'nerdctl', 'finch'] as const)
      for (const rootless of [true, false]) expect(plan('auto', { name, rootless }).tcp).toBeUndefined();
  });

  it.each([
    ['rootless docker', { rootless: true }, /not of this host/],
    ['rootless nerdctl', { name: 'nerdctl', rootless: true }, /not of this host/],
    ['a remote engine', { location: 'remote' }, /another machine/],
  ] as const)('refuse tcp on %s, and say what to use', (_name, overrides, message) => {
    let failure: unknown;
    try {
      plan('tcp', overrides);
    } catch (error) {
      failure = error;
    }
    expect(isLaunchError(failure, 'LAUNCH_TRANSPORT_UNSUPPORTED')).toBe(true);
    expect(String(failure)).toMatch(message);
    expect(String(failure)).toContain('--transport tunnel');
  });
});
