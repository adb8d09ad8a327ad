import { readdir } from 'node:fs/promises';
import type { LaunchPreview, PreviewMount } from '@doompi-sandbox/harness';
import { dockerGate, scratchRepository, stubPrograms, temporaryDirectory, waitFor } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { containerOf, containersOf, engineOutput, sandbox, sessionRepository, startSandbox } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';
import { buildingPodman, DEAD_DOCKER, PODMAN } from '../helpers/stub-engines.ts';

const skip = await dockerGate();
if (skip !== undefined) console.warn(`skipped: ${skip}`);

it('asks and makes nothing: no image, no directory, no volume, no container', async () => {
  await using repository = await scratchRepository();
  await using temporary = await temporaryDirectory();
  await using stubs = await stubPrograms({ podman: PODMAN });
  const environment = {
    PATH: stubs.path,
    TMPDIR: temporary.path,
    XDG_CACHE_HOME: temporary.path,
    XDG_RUNTIME_DIR: temporary.path,
    HOME: temporary.path,
  };
  const { exitCode, stdout, stderr } = await sandbox(['plan', '--json', '--', '-p', 'x'], { cwd: repository.path, environment });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    engine: { name: 'podman', endpoint: null },
    image: { present: false, id: null },
    repository: { root: repository.path, cwd: repository.path },
    container: { command: ['pi', '-p', 'x'], tty: false },
  });
  expect(await readdir(temporary.path)).toEqual([]);
  const asked = (await stubs.calls('podman')).map((call) => call.slice(0, 2).join(' '));
  expect(new Set(asked)).toEqual(new Set(['version --format', 'image inspect', 'volume ls']));
});

it('for a person it is a table on stdout and notices on stderr, which --quiet leaves out', async () => {
  await using repository = await scratchRepository();
  await using stubs = await stubPrograms({ podman: PODMAN });
  const options = { cwd: repository.path, environment: { PATH: stubs.path, ANTHROPIC_API_KEY: 'sk-ant-canary' } };
  const told = await sandbox(['plan'], options);
  expect(told.exitCode).toBe(0);
  expect(told.stdout).toMatch(/^engine +podman 4\.3\.1 [\s\S]*^broker +anthropic \(ANTHROPIC_API_KEY\)$/m);
  expect(told.stderr).toMatch(/^doompi-sandbox: brokering anthropic; their keys stay on the host$/m);
  expect(await sandbox(['plan', '--quiet'], options)).toEqual({ ...told, stderr: '' });
  expect(told.stdout + told.stderr).not.toContain('canary');
});

it.each([
  ['an engine that does not answer', {}, ['--engine', 'docker'], 125, 'ENGINE_UNREACHABLE'],
  ['an engine that is none', {}, ['--engine', 'rkt'], 125, 'ENGINE_UNKNOWN'],
  ['a sandbox around it', { DOOMPI_SANDBOX: '1' }, [], 125, 'LAUNCH_NESTED'],
  ['a mistake in the settings', { DOOMPI_SANDBOX_BROKER: 'x' }, [], 2, 'LAUNCH_SETTINGS_INVALID'],
  [
    'an upstream that no key may be sent to',
    { ANTHROPIC_API_KEY: 'k' },
    ['--upstream', 'anthropic=http://example.com'],
    2,
    'LAUNCH_SETTINGS_INVALID',
  ],
  ['a key that cannot be sent', { ANTHROPIC_API_KEY: 'a\nb' }, [], 125, 'BROKER_CREDENTIAL_INVALID'],
  ['a repository that cannot be mounted', {}, ['--repo', '/'], 125, 'LAUNCH_REPOSITORY_UNUSABLE'],
  ['a package that cannot be used', {}, ['--agent-package', './none.tgz'], 125, 'IMAGE_AGENT_PACKAGE_INVALID'],
] as const)('%s refuses plan and launch with the same words', async (_, variables, args, exitCode, code) => {
  await using repository = await scratchRepository();
  await using stubs = await stubPrograms({ docker: DEAD_DOCKER, podman: buildingPodman('make sha256:one') });
  await sandbox(['build', '--quiet'], { cwd: repository.path, environment: { PATH: stubs.path } });
  const options = {
    cwd: repository.path,
    environment: { PATH: stubs.path, DOCKER_HOST: 'unix:///tmp/none.sock', ...variables },
  };
  const planned = await sandbox(['plan', '--json', ...args], options);
  expect({ exitCode: planned.exitCode, stdout: planned.stdout }).toEqual({ exitCode, stdout: '' });
  expect(planned.stderr).toContain(`[${code}]\n`);
  const launched = await sandbox(['run', '--quiet', ...args], options);
  expect({ exitCode: launched.exitCode, stderr: launched.stderr }).toEqual({ exitCode, stderr: planned.stderr });
});

describe.skipIf(skip !== undefined)('on real docker', () => {
  const agent = useStandIn();

  it('is what the launch then does', { timeout: 300_000 }, async () => {
    await using repository = await sessionRepository();
    const environment = { ANTHROPIC_API_KEY: 'sk-ant-canary', STRIPE_API_KEY: 'sk-canary-stripe', TERM: 'xterm', NOT_NAMED: 'x' };
    const args = [...agent(), '--engine', 'docker', '--env', 'STRIPE_API_KEY', '--', 'sh', '-c', 'read -r line'];
    // The image is there, so that its id and what depends on it are known.
    await sandbox(['build', ...agent(), '--engine', 'docker'], { cwd: repository.path });
    const { stdout } = await sandbox(['plan', '--json', ...args], { cwd: repository.path, environment });
    const plan = JSON.parse(stdout) as LaunchPreview;
    expect(await containersOf(repository.path)).toEqual([]);
    const running = startSandbox(args, { cwd: repository.path, environment });
    const id = await containerOf(repository.path);
    const inspected = await waitFor(
      async () => {
        const [container] = JSON.parse(await engineOutput('container', 'inspect', id)) as [Inspected];
        return container.State.Running ? container : undefined;
      },
      { timeoutMs: 20_000, what: 'the container to run' },
    );
    running.child.stdin?.end('go\n');
    await running.closed;
    expect(plan.image).toMatchObject({ reference: inspected.Config.Image, id: inspected.Image });
    expect(inspected.Config.User).toBe(`${plan.identity.user?.uid}:${plan.identity.user?.gid}`);
    expect(inspected.Config.WorkingDir).toBe(plan.container.workdir);
    expect(inspected.Config.Cmd).toEqual(plan.container.command);
    expect(inspected.Config.Tty).toBe(plan.container.tty);
    const mounts: PreviewMount[] = inspected.Mounts.map(({ Type, Name, Source, Destination, RW }) => ({
      type: Type,
      source: Type === 'volume' ? Name : Source.replace(/doompi-sandbox-\w{6}\//, 'doompi-sandbox-XXXXXX/'),
      target: Destination,
      readOnly: !RW,
    }));
    const byTarget = (a: { target: string }, b: { target: string }): number => (a.target < b.target ? -1 : 1);
    // Docker keeps file systems in memory that `--tmpfs` asked for in a list of their own.
    for (const target of Object.keys(inspected.HostConfig.Tmpfs ?? {}))
      mounts.push({ type: 'tmpfs', source: null, target, readOnly: false });
    expect(mounts.toSorted(byTarget)).toEqual([...plan.mounts].toSorted(byTarget));
    // Docker lists a name that was given without a value, and sets nothing.
    const inside = new Map(
      inspected.Config.Env.filter((entry) => entry.includes('=')).map((entry) => [
        entry.slice(0, entry.indexOf('=')),
        entry.slice(entry.indexOf('=') + 1),
      ]),
    );
    for (const { name, source, value } of plan.environment) {
      expect(inside.has(name), name).toBe(source !== 'unset');
      if (value !== null) expect(inside.get(name), name).toBe(value);
    }
    // What is not planned comes with the image.
    const [image] = JSON.parse(await engineOutput('image', 'inspect', plan.image.reference)) as [Inspected];
    const known = new Set([...plan.environment.map(({ name }) => name), ...image.Config.Env.map((entry) => entry.split('=')[0])]);
    expect([...inside.keys()].filter((name) => !known.has(name))).toEqual([]);
    expect(stdout).not.toContain('canary');
  });
});

interface Inspected {
  readonly Image: string;
  readonly State: { readonly Running: boolean };
  readonly Config: {
    readonly Image: string;
    readonly User: string;
    readonly WorkingDir: string;
    readonly Cmd: readonly string[];
    readonly Tty: boolean;
    readonly Env: readonly string[];
  };
  readonly HostConfig: { readonly Tmpfs: Readonly<Record<string, string>> | null };
  readonly Mounts: readonly {
    readonly Type: 'bind' | 'volume';
    readonly Name: string;
    readonly Source: string;
    readonly Destination: string;
    readonly RW: boolean;
  }[];
}
