import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram, spawnInTerminal, temporaryDirectory, type ScratchRepository } from '@doompi-sandbox/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMAND, engineOutput, sandbox, sessionEnvironment, sessionRepository, type SandboxResult } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const standIn = useStandIn();

/** Answers are kept in a state directory of the test. */
const stateDirectory = async (): Promise<string> => {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory[Symbol.asyncDispose]());
  return directory.path;
};

const shell = async (
  repository: ScratchRepository,
  script: string,
  { options = [], state = '' }: { readonly options?: readonly string[]; readonly state?: string } = {},
): Promise<SandboxResult> =>
  sandbox([...standIn(), ...options, '--', 'sh', '-c', script], {
    cwd: repository.path,
    ...(state === '' ? {} : { environment: { XDG_STATE_HOME: state } }),
  });

/** Another repository at the same path. */
const replace = async ({ path }: ScratchRepository): Promise<void> => {
  await rename(path, `${path}-old`);
  await mkdir(path);
  await rm(`${path}-old`, { recursive: true });
};

const LOGIN = 'cat "$HOME/.pi/agent/auth.json" 2> /dev/null || echo no login';

describe('the home of a session', () => {
  it('S06: a new repository at an old path does not see the login of the one before', async () => {
    const state = await stateDirectory();
    await using repository = await sessionRepository();
    await shell(repository, 'echo secret > "$HOME/.pi/agent/auth.json"; mkdir .pi/npm/package', { state });
    expect((await shell(repository, LOGIN, { state })).stdout).toBe('secret\n');
    await replace(repository);
    const { exitCode, stdout, stderr } = await sandbox(
      [...standIn().filter((option) => option !== '--quiet'), '--', 'sh', '-c', `${LOGIN}; ls .pi/npm`],
      { cwd: repository.path, environment: { XDG_STATE_HOME: state } },
    );
    expect([exitCode, stdout]).toEqual([0, 'no login\n']);
    expect(stderr).toContain('belongs to another repository that was at this path');
    await shell(repository, 'echo mine > "$HOME/.pi/agent/auth.json"', { state });
    expect((await shell(repository, LOGIN, { state })).stdout).toBe('mine\n');
  });

  it.each([
    ['y\r', 'secret'],
    ['\r', 'no login'],
    ['n\r', 'no login'],
  ])('S06: on a terminal the person is asked, and %j has the agent see %s', async (keys, seen) => {
    const state = await stateDirectory();
    await using repository = await sessionRepository();
    await shell(repository, 'echo secret > "$HOME/.pi/agent/auth.json"', { state });
    await replace(repository);
    const args = [...COMMAND, ...standIn(), '--', 'sh', '-c', `${LOGIN}; read -r typed; echo "typed $typed"`];
    await using terminal = spawnInTerminal(process.execPath, args, {
      cwd: repository.path,
      env: sessionEnvironment({ XDG_STATE_HOME: state }),
    });
    await terminal.waitForOutput('[y/N]');
    terminal.write(keys);
    await terminal.waitForOutput(seen);
    terminal.write('after the question\r');
    await terminal.waitForOutput('typed after the question');
    expect(await terminal.exited).toMatchObject({ exitCode: 0 });
    expect((await shell(repository, LOGIN, { state })).stdout).toBe(`${seen}\n`);
  });

  it('S06: Ctrl-C at the question ends the launch', async () => {
    const state = await stateDirectory();
    await using repository = await sessionRepository();
    await shell(repository, 'true', { state });
    await replace(repository);
    await using terminal = spawnInTerminal(process.execPath, [...COMMAND, ...standIn(), '--', 'echo', 'started'], {
      cwd: repository.path,
      env: sessionEnvironment({ XDG_STATE_HOME: state }),
    });
    await terminal.waitForOutput('[y/N]');
    terminal.write('\u0003');
    expect(await terminal.exited).toMatchObject({ exitCode: 130 });
    expect(terminal.output).not.toContain('started');
  });

  it('B22: an image with another Node gets empty package stores and the same home', async () => {
    await using repository = await sessionRepository();
    const base = process.env['DOOMPI_SANDBOX_BASE_IMAGE'] ?? 'node:24-bookworm-slim';
    await using context = await temporaryDirectory();
    const other = `doompi-sandbox-test-base:${process.pid}`;
    // What decides is what the image says of its Node; the program is the same one.
    await writeFile(join(context.path, 'Dockerfile'), `FROM ${base}\nENV NODE_VERSION=99.0.0\nLABEL doompi.sandbox.test=home\n`);
    const built = await runProgram('docker', ['build', '--tag', other, context.path], {
      env: { ...process.env, DOCKER_BUILDKIT: '0' },
    });
    expect(built.exitCode, built.stderr).toBe(0);
    const fill = 'echo mine > "$HOME/kept"; for d in .pi/npm .pi/git "$HOME"/.pi/agent/npm; do echo old > "$d/native.node"; done';
    const look = 'cat "$HOME/kept"; for d in .pi/npm .pi/git "$HOME"/.pi/agent/npm; do ls "$d"; done';
    let image = '';
    try {
      expect((await shell(repository, fill)).exitCode).toBe(0);
      expect((await shell(repository, look)).stdout).toBe('mine\nnative.node\nnative.node\nnative.node\n');
      const seen = await shell(repository, look, { options: ['--base-image', other] });
      expect(seen).toMatchObject({ exitCode: 0, stdout: 'mine\n' });
      image = (await sandbox(['build', ...standIn(), '--base-image', other], { cwd: repository.path })).stdout.trim();
    } finally {
      for (const reference of [image, other].filter((name) => name !== '')) await engineOutput('image', 'rm', reference);
    }
  });
});
