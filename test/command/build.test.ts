import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  dockerGate,
  spawnInTerminal,
  stubPrograms,
  temporaryDirectory,
  waitFor,
  within,
  type StubPrograms,
} from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { COMMAND, engineOutput, sandbox, sessionEnvironment, startSandbox } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';
import { buildingPodman } from '../helpers/stub-engines.ts';

const skip = await dockerGate();
if (skip !== undefined) console.warn(`skipped: ${skip}`);

interface Place extends AsyncDisposable {
  readonly cwd: string;
  readonly temporary: string;
  readonly stubs: StubPrograms;
  readonly environment: Record<string, string>;
}

const place = async (build: string): Promise<Place> => {
  const directory = await temporaryDirectory();
  const temporary = await temporaryDirectory();
  const cache = await temporaryDirectory();
  const stubs = await stubPrograms({ podman: buildingPodman(build) });
  return {
    cwd: directory.path,
    temporary: temporary.path,
    stubs,
    environment: { PATH: stubs.path, TMPDIR: temporary.path, XDG_CACHE_HOME: cache.path },
    [Symbol.asyncDispose]: async () => {
      for (const resource of [directory, temporary, cache, stubs]) await resource.dispose();
    },
  };
};

/** The options of each build so far that decide how much of it is new. */
const freshness = async ({ stubs }: Place): Promise<string[]> =>
  (await stubs.calls('podman'))
    .filter(([verb]) => verb === 'build')
    .map((args) => args.filter((argument) => /^--(?:pull|no-cache)/.test(argument)).join(' '));

it('makes the image once; its reference is all of stdout', async () => {
  await using here = await place('echo "STEP 1/9"; make sha256:one');
  const first = await sandbox(['build'], here);
  expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^doompi-sandbox:v[\w.-]+\n$/) as string });
  expect(first.stderr).toMatch(/building doompi-sandbox:v.*\ndoompi-sandbox: STEP 1\/9\n.*built .* in/);
  const again = await sandbox(['build'], here);
  expect(again).toMatchObject({ exitCode: 0, stdout: first.stdout });
  expect(again.stderr).toMatch(/is there already, built \d+ days ago; --refresh builds it anew\n$/);
  expect(await sandbox(['build', '-q'], here)).toEqual({ exitCode: 0, stdout: first.stdout, stderr: '' });
  expect(await freshness(here)).toEqual(['']);
  expect(await readdir(here.temporary)).toEqual([]);
});

it('--refresh pulls the base and builds without cache; what it replaces is removed', async () => {
  await using here = await place('make "sha256:$(/bin/date +%s%N)"');
  await sandbox(['build', '-q'], here);
  const { exitCode, stderr } = await sandbox(['build', '--refresh'], here);
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toMatch(
    /pulling the base image node:24-bookworm-slim\n.*building .* anew, without cache\n.*built[^\n]*\n.*removed the image it replaces \(\d{12}\)\n$/,
  );
  expect(await freshness(here)).toEqual(['', '--pull --no-cache']);
  const removed = (await here.stubs.calls('podman')).filter(([noun, verb]) => noun === 'image' && verb === 'rm');
  expect(removed).toHaveLength(1);
});

it('a registry that cannot be reached is an error with the way out, and the image stays', async () => {
  await using here = await place('make "sha256:$(/bin/date +%s%N)"');
  await sandbox(['build', '-q'], here);
  await writeFile(join(here.stubs.directory, 'no-registry'), '');
  await writeFile(join(here.stubs.directory, 'image-node-24-bookworm-slim'), 'sha256:base');
  const failed = await sandbox(['build', '--refresh'], here);
  expect(failed).toMatchObject({ exitCode: 125, stdout: '' });
  expect(failed.stderr).toMatch(
    /could not be pulled.*--no-pull\)\. \[IMAGE_PULL_FAILED\]\n.*\| Error: connection refused\n.*because: .* \[ENGINE_COMMAND_FAILED\]\n$/,
  );
  expect((await sandbox(['build'], here)).stderr).toContain('is there already');
  expect(await sandbox(['build', '--refresh', '--no-pull', '-q'], here)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await freshness(here)).toEqual(['', '--no-cache']);
});

it('a build that fails has the last lines and the code', async () => {
  await using here = await place('echo "no space left" >&2; exit 3');
  const { exitCode, stdout, stderr } = await sandbox(['build', '-q'], here);
  expect({ exitCode, stdout }).toEqual({ exitCode: 125, stdout: '' });
  expect(stderr).toMatch(/exit status 3.* \[IMAGE_BUILD_FAILED\]\n.*\| no space left\n.* \[ENGINE_BUILD_FAILED\]\n$/);
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends it with %i and leaves nothing', async (signal, expected) => {
  await using here = await place('echo building; exec /bin/sleep 60');
  const running = startSandbox(['build'], here);
  let stderr = '';
  running.child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await waitFor(() => stderr.includes('doompi-sandbox: building\n'), { timeoutMs: 20_000, what: 'the build' });
  running.child.kill(signal);
  await within(running.closed, { timeoutMs: 10_000, what: 'the build to end' });
  expect(running.child.exitCode, stderr).toBe(expected);
  expect(stderr).not.toContain('error:');
  expect(await readdir(here.temporary)).toEqual([]);
});

it('on a terminal the output of the builder is one line that is rewritten', async () => {
  await using here = await place('echo one; echo two; make sha256:one');
  await using terminal = spawnInTerminal(process.execPath, [...COMMAND, 'build'], {
    cwd: here.cwd,
    env: sessionEnvironment({ ...here.environment, TERM: 'xterm' }),
  });
  expect(await terminal.exited).toMatchObject({ exitCode: 0 });
  const [, one, two, rest] = terminal.output.split('\r\u001B[2K');
  expect(one).toMatch(/^doompi-sandbox: building, \d+ s: one$/);
  expect(two).toMatch(/^doompi-sandbox: building, \d+ s: two$/);
  expect(rest).toMatch(/^doompi-sandbox: built /);
  expect(terminal.output).toMatch(/\r\ndoompi-sandbox:v[\w.-]+\r\n$/);
});

describe.skipIf(skip !== undefined)('on real docker', () => {
  const agent = useStandIn();

  it('makes the image that a plan then finds', { timeout: 300_000 }, async () => {
    await using directory = await temporaryDirectory();
    const args = [...agent(), '--engine', 'docker'];
    const built = await sandbox(['build', ...args], { cwd: directory.path });
    expect(built.exitCode, built.stderr).toBe(0);
    expect(await engineOutput('image', 'inspect', '--format', '{{.Os}}', built.stdout.trim())).toBe('linux\n');
    const planned = await sandbox(['plan', '--json', ...args], { cwd: directory.path });
    expect(JSON.parse(planned.stdout)).toMatchObject({ image: { reference: built.stdout.trim(), present: true } });
  });

  it('a base image that only this machine has cannot be refreshed with a pull', async () => {
    await using directory = await temporaryDirectory();
    const base = '127.0.0.1:1/doompi-sandbox-test:local';
    const { exitCode, stderr } = await sandbox(['build', '--refresh', '--engine', 'docker', '--base-image', base], {
      cwd: directory.path,
    });
    expect(exitCode).toBe(125);
    expect(stderr).toMatch(/127\.0\.0\.1:1.* could not be pulled.* \[IMAGE_PULL_FAILED\]\n.*refused/);
  });
});
