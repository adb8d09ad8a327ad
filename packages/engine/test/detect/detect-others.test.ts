import { describe, expect, it } from 'vitest';
import { detectEngine } from '../../src/index.ts';
import { failure, FINCH, NERDCTL, PODMAN, print, printing, stubs, versionStub } from '../helpers/detection.ts';

const environmentOf = async (programs: Record<string, string>): Promise<Record<string, string>> => ({
  PATH: (await stubs(programs)).path,
});

describe('a podman command', () => {
  it('is asked one question, which is not podman info', async () => {
    const programs = await stubs({ podman: printing(PODMAN) });
    const engine = await detectEngine({ environment: { PATH: programs.path }, uid: 0 });
    expect(engine).toMatchObject({
      name: 'podman',
      apiVersion: '4.3.1',
      platform: { os: 'linux', architecture: 'amd64' },
      rootless: false,
      location: 'native',
      endpoint: undefined,
    });
    expect(await programs.calls('podman')).toEqual([['version', '--format', 'json']]);
  });

  it('is rootless for everybody but root', async () => {
    const environment = await environmentOf({ podman: printing(PODMAN) });
    expect((await detectEngine({ environment, uid: 1000 })).rootless).toBe(true);
  });

  it.each<[string, unknown, RegExp]>([
    ['an older one', { Client: { ...PODMAN['Client'], Version: '4.2.0' } }, /4\.2\.0; 4\.3 or newer/],
    ['one on a server elsewhere', { ...PODMAN, Server: { APIVersion: '5.0.0' } }, /server elsewhere \(CONTAINER_HOST/],
    ['another program', 'podcast manager 1.0', /does not report its version as Podman does/],
  ])('refuses %s with the reason', async (_, report, reason) => {
    const error = await failure({ environment: await environmentOf({ podman: printing(report) }) });
    expect(error).toMatchObject({ code: 'ENGINE_UNSUPPORTED', details: { engine: 'podman' } });
    expect(error.message).toMatch(reason);
  });

  it('that fails is told with its own words', async () => {
    const environment = await environmentOf({ podman: 'echo "cannot set up namespace" >&2; exit 125' });
    expect(await failure({ environment })).toMatchObject({
      code: 'ENGINE_UNREACHABLE',
      details: { engine: 'podman', stderr: 'cannot set up namespace' },
    });
  });
});

describe('a nerdctl command', () => {
  it('tells containerd as its server', async () => {
    const environment = await environmentOf({ nerdctl: printing(NERDCTL) });
    expect(await detectEngine({ environment, uid: 1000 })).toMatchObject({
      name: 'nerdctl',
      clientVersion: '2.0.2',
      serverVersion: '2.0.1',
      platform: { os: 'linux', architecture: 'amd64' },
      rootless: true,
    });
  });

  it('without containerd is unreachable', async () => {
    const report = print(JSON.stringify({ Client: NERDCTL['Client'] }));
    const environment = await environmentOf({
      nerdctl: versionStub(`${report}; echo 'rootless containerd not running?' >&2; exit 1`),
    });
    expect(await failure({ environment })).toMatchObject({ code: 'ENGINE_UNREACHABLE', details: { engine: 'nerdctl' } });
  });

  it('that is too old, or no nerdctl, is refused', async () => {
    const old = JSON.stringify(NERDCTL).replace('v2.0.2', 'v1.7.7');
    expect((await failure({ environment: await environmentOf({ nerdctl: printing(old) }) })).message).toMatch(
      /1\.7\.7; 2\.0 or newer/,
    );
    expect((await failure({ environment: await environmentOf({ nerdctl: print('hello') }) })).code).toBe('ENGINE_UNSUPPORTED');
  });
});

describe('a finch command', () => {
  it('tells its versions as text', async () => {
    const environment = await environmentOf({ finch: printing(FINCH) });
    expect(await detectEngine({ environment, platform: 'linux' })).toMatchObject({
      name: 'finch',
      clientVersion: '1.4.0',
      serverVersion: '1.7.22',
      location: 'native',
    });
    expect((await detectEngine({ environment, platform: 'darwin' })).location).toBe('vm');
  });

  it.each<[string, string]>([
    ['a chat client that prints its version', print('finch 2.14.1')],
    ['a chat client that asks its terminal', 'read -r answer </dev/tty || exit 1'],
    ['a chat client without a display', '[ -z "$DISPLAY" ] || exec /bin/sleep 60; echo "cannot open display" >&2; exit 1'],
  ])('B01: %s is another program, told as such', async (_, script) => {
    const environment = { ...(await environmentOf({ finch: script })), DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0' };
    const error = await failure({ environment, timeoutMs: 3000 });
    expect(error).toMatchObject({ code: 'ENGINE_UNSUPPORTED', details: { engine: 'finch' } });
    expect(error.message).toMatch(/another program called finch/);
  });

  it('whose virtual machine is stopped is unreachable', async () => {
    const script = `printf 'Finch version:\\tv1.4.0\\n'; echo 'detailed version info is unavailable because VM is not running' >&2; exit 1`;
    expect(await failure({ environment: await environmentOf({ finch: script }) })).toMatchObject({
      code: 'ENGINE_UNREACHABLE',
      details: { engine: 'finch', stderr: expect.stringContaining('VM is not running') as string },
    });
  });
});
