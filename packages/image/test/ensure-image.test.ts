import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { open, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { runProgram, temporaryDirectory, waitForEvent } from '@doompi-sandbox/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ensureImage, type ImageBuildEvent, type ImageProgress } from '../src/index.ts';
import { type StubDocker, stubDocker, tinyDefinition } from './helpers/stub-docker.ts';

const { reference } = tinyDefinition;

const stub = async (...args: Parameters<typeof stubDocker>): Promise<StubDocker> => {
  const docker = await stubDocker(...args);
  onTestFinished(() => docker[Symbol.asyncDispose]());
  return docker;
};

const directory = async (): Promise<string> => {
  const { path, dispose } = await temporaryDirectory();
  onTestFinished(() => dispose());
  return path;
};

describe('ensureImage', () => {
  it('uses the image that is there: one question, no build, no lock', async () => {
    const docker = await stub('exit 1');
    await writeFile(join(docker.directory, reference), '');
    const lockDirectory = join(await directory(), 'locks');
    expect(await ensureImage(docker.engine, tinyDefinition, { lockDirectory })).toEqual({
      reference,
      built: false,
      environment: [],
      id: 'sha256:stub',
    });
    await expect(stat(lockDirectory)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([undefined, '/dev/null/locks'])(
    'B11: builds where no lock can be kept, as with directory %s',
    async (lockDirectory) => {
      const docker = await stub(': > "$image"');
      expect((await ensureImage(docker.engine, tinyDefinition, { lockDirectory })).built).toBe(true);
    },
  );

  it('builds what is not there, tells its steps and leaves no context and no lock', async () => {
    const docker = await stub('ls -lR "$(dirname "$5")" && cat "$5" && echo words >&2 && : > "$image"');
    const lockDirectory = await directory();
    const steps: ImageProgress[] = [];
    const output: string[] = [];
    const result = await ensureImage(docker.engine, tinyDefinition, {
      lockDirectory,
      onProgress: (step) => steps.push(step),
      onOutput: (line) => output.push(line),
    });
    expect(result).toEqual({ reference, built: true, id: 'sha256:stub', environment: [] });
    expect(steps).toMatchObject([{ step: 'building', builder: 'legacy', baseImage: 'base:1' }, { step: 'built' }]);
    expect(output).toContain('words');
    expect(output).toContain('FROM base:1');
    expect(output.join('\n')).toMatch(/-rwxr-xr-x .* file$/m);
    expect(await docker.builds()).toHaveLength(1);
    expect(await docker.contexts()).toEqual([]);
    expect(await readdir(lockDirectory)).toEqual([]);
  });

  it.each([
    ['legacy', false],
    ['buildx', true],
  ] as const)('B21: a builder (%s) that succeeds without an image is an error about the builder', async (builder, buildx) => {
    const docker = await stub('exit 0', 'amd64', buildx);
    const ensuring = ensureImage(docker.engine, tinyDefinition, { lockDirectory: await directory() });
    await expect(ensuring).rejects.toMatchObject({ code: 'IMAGE_NOT_LOADED', details: { reference, builder } });
    await expect(ensuring).rejects.toThrow(/builder kept the result.*DOCKER_BUILDKIT=0/);
    const [build = []] = await docker.builds();
    expect(build.includes('--load')).toBe(buildx);
  });

  it.each([
    ['podman', 'buildah', /different stores/],
    ['nerdctl', 'buildctl', /buildkitd/],
  ] as const)('B21: the advice about a kept result is for the builder of %s', async (name, builder, advice) => {
    const docker = await stub('exit 0', 'amd64', false, name === 'podman' ? 'Error: %s: image not known' : undefined);
    const engine = { ...docker.engine, name };
    const ensuring = ensureImage(engine, tinyDefinition, { lockDirectory: await directory() });
    await expect(ensuring).rejects.toMatchObject({ code: 'IMAGE_NOT_LOADED', details: { builder } });
    await expect(ensuring).rejects.toThrow(advice);
  });

  it("podman's own words for an image that is not there lead to a build, docker's platform variable does not concern it", async () => {
    const docker = await stub(': > "$image"', 'amd64', false, 'Error: inspecting object: %s: image not known');
    const environment = { ...docker.engine.environment, DOCKER_DEFAULT_PLATFORM: 'linux/arm64' };
    const engine = { ...docker.engine, name: 'podman' as const, environment };
    expect((await ensureImage(engine, tinyDefinition, { lockDirectory: await directory() })).built).toBe(true);
  });

  it.each([
    ['before a build', true],
    ['after a build', false],
  ])('B21: an image of another platform found %s is refused', async (_, present) => {
    const docker = await stub(': > "$image"', 'arm64');
    if (present) await writeFile(join(docker.directory, reference), '');
    const ensuring = ensureImage(docker.engine, tinyDefinition, { lockDirectory: await directory() });
    await expect(ensuring).rejects.toMatchObject({
      code: 'IMAGE_WRONG_PLATFORM',
      details: { expected: { architecture: 'amd64' }, actual: { architecture: 'arm64' } },
    });
    expect(await docker.builds()).toHaveLength(present ? 0 : 1);
  });

  it.each(['linux/arm64/v8', 'linux/aarch64'])(
    'B21: the platform %s that the person chose is the expected one',
    async (chosen) => {
      const docker = await stub(': > "$image"', 'arm64');
      const engine = { ...docker.engine, environment: { ...docker.engine.environment, DOCKER_DEFAULT_PLATFORM: chosen } };
      expect((await ensureImage(engine, tinyDefinition, { lockDirectory: await directory() })).built).toBe(true);
    },
  );

  it('tells how a build failed, that the base image was absent, and cleans up', async () => {
    const docker = await stub('echo "pull access denied" >&2; exit 17');
    const lockDirectory = await directory();
    const events: ImageBuildEvent[] = [];
    const listen = (event: unknown): void => void events.push(event as ImageBuildEvent);
    subscribe('doompi-sandbox:image:build', listen);
    onTestFinished(() => void unsubscribe('doompi-sandbox:image:build', listen));
    const ensuring = ensureImage(docker.engine, tinyDefinition, { lockDirectory });
    await expect(ensuring).rejects.toMatchObject({
      code: 'IMAGE_BUILD_FAILED',
      details: { exitCode: 17, lastLines: ['pull access denied'], baseImage: 'base:1', basePresent: false },
      cause: { code: 'ENGINE_BUILD_FAILED' },
    });
    await expect(ensuring).rejects.toThrow(/did not hold the base image base:1/);
    expect(await docker.contexts()).toEqual([]);
    expect(await readdir(lockDirectory)).toEqual([]);
    expect(events).toMatchObject([{ reference, builder: 'legacy', outcome: 'failed' }]);
  });

  it("stops at the signal, with the signal's reason, and cleans up", async () => {
    const docker = await stub('echo started; exec sleep 60');
    const lockDirectory = await directory();
    const controller = new AbortController();
    const reason = new Error('enough');
    const onOutput = (): void => controller.abort(reason);
    await expect(ensureImage(docker.engine, tinyDefinition, { lockDirectory, signal: controller.signal, onOutput })).rejects.toBe(
      reason,
    );
    expect(await docker.contexts()).toEqual([]);
    expect(await readdir(lockDirectory)).toEqual([]);
  });

  it('S14: hands proxies to the build by name', async () => {
    const docker = await stub('echo "$HTTPS_PROXY"; : > "$image"');
    const environment = { ...docker.engine.environment, HTTPS_PROXY: 'http://me:password@proxy' };
    const output: string[] = [];
    await ensureImage({ ...docker.engine, environment }, tinyDefinition, {
      lockDirectory: await directory(),
      onOutput: (line) => output.push(line),
    });
    expect(output).toEqual(['http://me:password@proxy']);
    const [build = []] = await docker.builds();
    expect(build.join(' ')).toContain('--build-arg HTTPS_PROXY');
    expect(build.join(' ')).not.toContain('password');
  });
});

/** Ends a process and the docker that it started, in the same process group. */
const killGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended already.
  }
};

/** A process of its own that ensures the image, with its lines. */
const ensureElsewhere = (
  docker: StubDocker,
  lockDirectory: string,
): { child: ChildProcess; lines: Interface; seen: string[] } => {
  const fixture = join(import.meta.dirname, 'fixtures/ensure.ts');
  const args = ['--conditions=@doompi-sandbox/source', fixture, JSON.stringify(docker.engine), lockDirectory];
  // One that is killed cannot delete its build context; the test's directory takes it along.
  const env = { ...process.env, TMPDIR: lockDirectory };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  onTestFinished(() => killGroup(child));
  const lines = createInterface({ input: child.stdout });
  const seen: string[] = [];
  lines.on('line', (line) => seen.push(line));
  return { child, lines, seen };
};

/** Builds block until the test writes to the pipe `<stub directory>/gate`. */
const gatedDocker = async (): Promise<StubDocker> => {
  const docker = await stub('read -r _ < "$here/gate"; : > "$image"');
  await runProgram('mkfifo', [join(docker.directory, 'gate')]);
  return docker;
};

const openGate = async (docker: StubDocker): Promise<void> => {
  const gate = await open(join(docker.directory, 'gate'), 'w');
  await gate.write('go\n');
  await gate.close();
};

const sees = async (process: { lines: Interface; seen: string[] }, line: string): Promise<void> => {
  if (!process.seen.includes(line)) await waitForEvent(process.lines, 'line', { when: (text) => text === line, what: line });
};

describe('two processes', () => {
  it('build a reference once; the second waits and uses it', async () => {
    const docker = await gatedDocker();
    const lockDirectory = await directory();
    const first = ensureElsewhere(docker, lockDirectory);
    await sees(first, 'building');
    const second = ensureElsewhere(docker, lockDirectory);
    await sees(second, 'waiting');
    const closed = [first, second].map(({ child }) => waitForEvent(child, 'close'));
    await openGate(docker);
    await Promise.all(closed);
    expect(JSON.parse(first.seen.at(-1) ?? '')).toMatchObject({ built: true });
    expect(second.seen).toEqual(['waiting', JSON.stringify({ reference, built: false, id: 'sha256:stub', environment: [] })]);
    expect(await docker.builds()).toHaveLength(1);
  });

  it('the lock of one that was killed is taken over', async () => {
    const docker = await gatedDocker();
    const lockDirectory = await directory();
    const first = ensureElsewhere(docker, lockDirectory);
    await sees(first, 'building');
    killGroup(first.child);
    await waitForEvent(first.child, 'close');
    const second = ensureElsewhere(docker, lockDirectory);
    await sees(second, 'waiting');
    const lock = (await readdir(lockDirectory)).find((name) => name.endsWith('.lock')) ?? '';
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(lockDirectory, lock), longAgo, longAgo);
    await sees(second, 'building');
    const closed = waitForEvent(second.child, 'close');
    await openGate(docker);
    await closed;
    expect(JSON.parse(second.seen.at(-1) ?? '')).toMatchObject({ built: true });
    expect((await readdir(lockDirectory)).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });
});
