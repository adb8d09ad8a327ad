import { mkdir, rm } from 'node:fs/promises';
import { temporaryDirectory } from '@doompi-sandbox/testkit';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { capture, type EngineKind, isEngineError, runArguments, type RunSpec, traitsOf } from '../../src/index.ts';
import { REAL_ENGINES, removeLabelled, runSpec } from '../helpers/engine.ts';

const LABEL = 'doompi.sandbox.test';
const VALUE = `engine-options-${process.pid}`;

const spec = runSpec(`${LABEL}=${VALUE}`);

const kind = (name: EngineKind['name'], part: Partial<EngineKind> = {}): EngineKind => ({
  name,
  clientVersion: { docker: '28.2.2', podman: '4.3.1', nerdctl: '2.0.2', finch: '1.4.0' }[name],
  rootless: false,
  usernsRemap: false,
  ...part,
});
const rootless = { rootless: true };

describe('what an engine cannot do is refused before it is asked', () => {
  it.each<[string, EngineKind]>([
    ['rootful docker', kind('docker')],
    ['rootless docker', kind('docker', rootless)],
    ['docker with userns-remap', kind('docker', { usernsRemap: true })],
    ['rootful podman', kind('podman')],
    ['nerdctl', kind('nerdctl')],
    ['finch', kind('finch')],
  ])('B12: keep-id never reaches %s', (_, engine) => {
    const run = (): string[] => runArguments({ ...spec, userns: 'keep-id' }, engine);
    expect(run).toThrow(/userns: .* does not know keep-id; only rootless podman does/);
    expect(run).toThrow(expect.objectContaining({ code: 'ENGINE_OPTION_UNSUPPORTED' }) as Error);
  });

  it('B12: rootless podman gets keep-id with the ids of the person', () => {
    const args = runArguments({ ...spec, userns: 'keep-id', user: { uid: 1000, gid: 100 } }, kind('podman', rootless));
    expect(args.join(' ')).toContain('--userns keep-id --workdir / --user 1000:100');
  });

  it.each<[string, EngineKind, Partial<RunSpec>, RegExp]>([
    [
      'host-gateway on podman 4.3',
      kind('podman'),
      { addHosts: [{ name: 'h', address: 'host-gateway' }] },
      /host\.containers\.internal/,
    ],
    ['userns host on nerdctl', kind('nerdctl'), { userns: 'host' }, /does not know host/],
    [
      'volume labels on podman',
      kind('podman'),
      { mounts: [{ type: 'volume', source: 'v', target: '/v', labels: { a: 'b' } }] },
      /createVolume first/,
    ],
    [
      'volume labels on nerdctl',
      kind('nerdctl'),
      { mounts: [{ type: 'volume', source: 'v', target: '/v', labels: { a: 'b' } }] },
      /createVolume first/,
    ],
    [
      'relabel on docker',
      kind('docker'),
      { mounts: [{ type: 'bind', source: '/a', target: '/a', relabel: 'shared' }] },
      /label=disable/,
    ],
  ])('%s', (_, engine, part, advice) => {
    let error: unknown;
    try {
      runArguments({ ...spec, ...part }, engine);
    } catch (thrown) {
      error = thrown;
    }
    expect(isEngineError(error, 'ENGINE_OPTION_UNSUPPORTED')).toBe(true);
    expect(String(error)).toMatch(advice);
  });

  it.each<[string, Partial<RunSpec>]>([
    ['a host name with a blank', { addHosts: [{ name: 'a b', address: '1.2.3.4' }] }],
    ['a host name that is an option', { addHosts: [{ name: 'h:1.1.1.1', address: '1.2.3.4' }] }],
    ['an address that is a name', { addHosts: [{ name: 'h', address: 'elsewhere' }] }],
  ])('%s is a wrong argument', (_, part) => {
    expect(() => runArguments({ ...spec, ...part }, kind('docker'))).toThrow(TypeError);
  });

  it.each([
    ['podman', 'CONTAINER_HOST'],
    ['podman', 'XDG_RUNTIME_DIR'],
    ['nerdctl', 'CONTAINERD_ADDRESS'],
    ['docker', 'DOCKER_HOST'],
  ] as const)('%s: a variable that its client obeys carries no value into a container: %s', (name, variable) => {
    expect(() => runArguments({ ...spec, environment: [variable] }, kind(name))).toThrow(/read by the engine's own client/);
  });
});

for (const { name, skip, detect } of REAL_ENGINES)
  describe.skipIf(skip !== undefined)(`on real ${name}`, () => {
    afterAll(async () => removeLabelled(await detect(), `${LABEL}=${VALUE}`));

    const run = async (part: Partial<RunSpec>, environment: Record<string, string> = {}): Promise<string> => {
      const engine = await detect();
      const { exitCode, stdout, stderr } = await capture(engine, runArguments({ ...spec, ...part }, engine), { environment });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      return stdout;
    };

    /** What the engine itself says to the options that are refused above. */
    it.each<[string, (traits: ReturnType<typeof traitsOf>) => boolean, readonly string[]]>([
      ['keep-id', (traits) => traits.keepId === 'accepted', ['--userns', 'keep-id']],
      ['host-gateway', (traits) => traits.hostGateway !== 'refused', ['--add-host', 'h:host-gateway']],
      [
        'volume labels',
        (traits) => traits.volumeLabels === 'mount',
        ['--mount', `type=volume,source=doompi-sandbox-test-${process.pid}-l,target=/v,volume-label=${LABEL}=${VALUE}`],
      ],
      ['userns host', (traits) => traits.usernsHost === 'accepted', ['--userns', 'host']],
    ])('B12: the table is right about %s', async (_, accepted, flags) => {
      const engine = await detect();
      const { exitCode } = await capture(engine, runArguments({ ...spec, network: 'bridge', flags }, engine));
      expect(exitCode).toBe(accepted(traitsOf(engine)) ? 0 : 125);
    });

    it("no proxy of the client's enters unasked, one that is named does", async () => {
      const environment = { HTTPS_PROXY: 'http://127.0.0.1:9', https_proxy: 'http://127.0.0.1:9' };
      const command = ['sh', '-c', 'env | grep -i proxy || true'];
      expect(await run({ command }, environment)).toBe('');
      expect(await run({ command, environment: ['HTTPS_PROXY'] }, environment)).toBe('HTTPS_PROXY=http://127.0.0.1:9\n');
    });

    it('a tmpfs holds programs when it is told to, a user owns what is written, the root is read-only', async () => {
      const directory = await temporaryDirectory();
      onTestFinished(() => rm(directory.path, { recursive: true, force: true }));
      await mkdir(`${directory.path}/w`, { mode: 0o777 });
      const script =
        'cp /bin/true /t/true && /t/true && id -u && id -g && (touch /x 2>/dev/null || echo read-only) && grep -c "^192.0.2.7[[:space:]]h$" /etc/hosts';
      const stdout = await run({
        command: ['sh', '-c', script],
        network: 'bridge',
        readOnlyRoot: true,
        dropCapabilities: ['ALL'],
        securityOptions: ['no-new-privileges'],
        user: { uid: 1234, gid: 1235 },
        addHosts: [{ name: 'h', address: '192.0.2.7' }],
        mounts: [
          { type: 'tmpfs', target: '/t', options: 'exec,mode=1777,size=8m' },
          { type: 'bind', source: `${directory.path}/w`, target: '/w', readOnly: true },
        ],
      });
      expect(stdout).toBe('1234\n1235\nread-only\n1\n');
    });
  });
