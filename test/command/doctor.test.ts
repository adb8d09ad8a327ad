import { createServer } from 'node:net';
import { join } from 'node:path';
import { dockerGate, scratchRepository, spawnInTerminal, stubPrograms, temporaryDirectory } from '@doompi-sandbox/testkit';
import type { Diagnosis } from '@doompi-sandbox/harness';
import { describe, expect, it } from 'vitest';
import { COMMAND, sandbox, sessionEnvironment, type SandboxResult } from '../helpers/sandbox.ts';
import { CHAT_CLIENT, DEAD_DOCKER, PODMAN } from '../helpers/stub-engines.ts';

const skip = await dockerGate();
if (skip !== undefined) console.warn(`skipped: ${skip}`);

interface Doctor extends SandboxResult {
  readonly found: Diagnosis;
  readonly milliseconds: number;
}

/** Runs `doctor --json` in a fresh repository with these programs as the only engines. */
const doctor = async (
  programs: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
  ...args: readonly string[]
): Promise<Doctor> => {
  await using repository = await scratchRepository();
  await using stubs = await stubPrograms(programs);
  const started = performance.now();
  const result = await sandbox(['doctor', '--json', ...args], {
    cwd: repository.path,
    environment: { PATH: stubs.path, ...environment },
  });
  return { ...result, found: JSON.parse(result.stdout) as Diagnosis, milliseconds: performance.now() - started };
};

const outcomes = ({ found }: Doctor): Record<string, string | null> =>
  Object.fromEntries((found.engines.facts?.candidates ?? []).map(({ candidate, outcome, code }) => [candidate, code ?? outcome]));

/** The deadline of 4 s, and time for the command itself on a machine that does much else. Without the deadline it would be a minute. */
const DEADLINE = 4000 + 8000;

it('B02: a dead docker does not hide podman: it is taken, and doctor says why not docker', async () => {
  const told = await doctor({ docker: DEAD_DOCKER, podman: PODMAN }, { DOCKER_HOST: 'unix:///tmp/none.sock' });
  expect(told.milliseconds).toBeLessThan(DEADLINE);
  expect({ exitCode: told.exitCode, ready: told.found.ready, stderr: told.stderr }).toEqual({
    exitCode: 0,
    ready: true,
    stderr: '',
  });
  expect(outcomes(told)).toEqual({ docker: 'ENGINE_UNREACHABLE', podman: 'taken', nerdctl: 'absent', finch: 'absent' });
  expect(told.found.engines.findings).toContainEqual({
    severity: 'warning',
    code: 'ENGINE_UNREACHABLE',
    text: expect.stringMatching(/unix:\/\/\/tmp\/none\.sock.*DOCKER_HOST/) as string,
    advice: expect.stringMatching(/./) as string,
  });
});

it('B02: a dead docker that was asked for is an error that names the endpoint, whatever else works', async () => {
  const environment = { DOCKER_HOST: 'unix:///tmp/none.sock' };
  const told = await doctor({ docker: DEAD_DOCKER, podman: PODMAN }, environment, '--engine', 'docker');
  expect({ exitCode: told.exitCode, ready: told.found.ready }).toEqual({ exitCode: 1, ready: false });
  expect(outcomes(told)).toMatchObject({ docker: 'ENGINE_UNREACHABLE', podman: 'usable' });
  expect(told.found.engines.findings).toEqual([
    expect.objectContaining({ severity: 'error', text: expect.stringContaining('unix:///tmp/none.sock') as string }),
  ]);
});

it('a socket that accepts and never answers is decided in 5 seconds', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'hung.sock');
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(path, resolve));
  try {
    // The docker command waits for the same server.
    const hung = '#!/bin/sh\nexec /bin/sleep 60';
    const told = await doctor({ docker: hung, podman: PODMAN }, { DOCKER_HOST: `unix://${path}` });
    expect(told.milliseconds).toBeLessThan(DEADLINE);
    expect(told.exitCode).toBe(0);
    expect(outcomes(told)).toMatchObject({ docker: 'ENGINE_UNREACHABLE', podman: 'taken' });
    const asked = await doctor({ docker: hung }, { DOCKER_HOST: `unix://${path}` }, '--engine', 'docker');
    expect(asked.milliseconds).toBeLessThan(DEADLINE);
    expect(asked.exitCode).toBe(1);
  } finally {
    server.close();
  }
});

it('B01: a docker that is podman is told by what it says', async () => {
  const told = await doctor({ docker: PODMAN });
  expect(told.exitCode).toBe(0);
  expect(told.found.engines.facts?.candidates[0]).toMatchObject({
    candidate: 'docker',
    outcome: 'taken',
    engine: { name: 'podman' },
  });
});

it('a chat client called finch is no engine', async () => {
  const told = await doctor({ finch: CHAT_CLIENT });
  expect(told.exitCode).toBe(1);
  expect(outcomes(told)).toMatchObject({ finch: 'ENGINE_UNSUPPORTED' });
  expect(told.found.engines.findings[0]?.text).toMatch(/chat client/);
});

it('on a machine without an engine the rest is told', async () => {
  const told = await doctor({}, { ANTHROPIC_API_KEY: 'sk-canary' });
  expect(told.exitCode).toBe(1);
  expect(told.found.engines.findings.map(({ code }) => code)).toEqual(['ENGINE_NOT_FOUND']);
  expect(told.found).toMatchObject({
    image: { facts: { present: null, agent: 'pi' } },
    credentials: { facts: { credentials: [{ variable: 'ANTHROPIC_API_KEY', providers: ['anthropic'] }] } },
    repository: { facts: { git: 'repository', writable: true } },
  });
});

it('inside a sandbox it says so', async () => {
  const told = await doctor({ podman: PODMAN }, { DOOMPI_SANDBOX: '1' });
  expect(told.exitCode).toBe(1);
  expect(told.found.host).toMatchObject({ facts: { insideSandbox: true }, findings: [{ code: 'LAUNCH_NESTED' }] });
});

it('outside a repository it says what would be mounted', async () => {
  await using directory = await temporaryDirectory();
  await using stubs = await stubPrograms({ podman: PODMAN });
  const { exitCode, stdout } = await sandbox(['doctor'], { cwd: directory.path, environment: { PATH: stubs.path } });
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`${directory.path} is no git checkout [not-a-repository]`);
  const root = await sandbox(['doctor'], { cwd: '/', environment: { PATH: stubs.path } });
  expect(root.exitCode).toBe(1);
  expect(root.stdout).toContain('[LAUNCH_REPOSITORY_UNUSABLE]');
});

it('a mistake in the variables is told with the rest, on the command line it ends with 2', async () => {
  const told = await doctor({ podman: PODMAN }, { DOOMPI_SANDBOX_BROKER: 'maybe' });
  expect(told.exitCode).toBe(1);
  expect(told.found.settings.findings).toMatchObject([
    { code: 'LAUNCH_SETTINGS_INVALID', text: expect.stringContaining('maybe') as string },
  ]);
  await using directory = await temporaryDirectory();
  expect(await sandbox(['doctor', '--nonsense'], { cwd: directory.path })).toMatchObject({ exitCode: 2, stdout: '' });
});

it('on a terminal its size and colours are told', async () => {
  await using repository = await scratchRepository();
  await using stubs = await stubPrograms({ podman: PODMAN });
  await using terminal = spawnInTerminal(process.execPath, [...COMMAND, 'doctor'], {
    cwd: repository.path,
    env: sessionEnvironment({ PATH: stubs.path, TERM: 'xterm-256color' }),
    columns: 123,
    rows: 45,
  });
  const output = await terminal.waitForOutput(/A session can start here.*\r\n/, { timeoutMs: 20_000 });
  expect(output).toMatch(
    /stdin +yes\r\n +stdout +yes\r\n +TERM +xterm-256color\r\n +size +123 columns, 45 rows\r\n +colours +256/,
  );
  expect(await terminal.exited).toMatchObject({ exitCode: 0 });
});

describe.skipIf(skip !== undefined)('on real docker', () => {
  it('tells server, endpoint, details and image', async () => {
    await using repository = await scratchRepository();
    const { exitCode, stdout } = await sandbox(['doctor', '--json', '--engine', 'docker'], { cwd: repository.path });
    expect(exitCode, stdout).toBe(0);
    const { engines, image } = JSON.parse(stdout) as Diagnosis;
    const taken = engines.facts?.candidates.find(({ outcome }) => outcome === 'taken');
    expect(taken?.engine).toMatchObject({
      name: 'docker',
      platform: expect.stringMatching(/^linux\//) as string,
      endpoint: expect.stringMatching(/^(?:unix|tcp|ssh):\/\//) as string,
    });
    expect(engines.facts?.details).toMatchObject({
      cgroupVersion: expect.stringMatching(/^[12]$/) as string,
      storageDriver: expect.stringMatching(/./) as string,
    });
    expect(image.facts).toMatchObject({ reference: expect.stringMatching(/^doompi-sandbox:v/) as string });
  });
});
