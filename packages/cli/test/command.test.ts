import { temporaryDirectory } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { runCommand } from '../src/index.ts';

const command = async (
  argv: string[],
  environment: Record<string, string> = {},
  cwd = '/',
): Promise<{ code: number; stdout: string; stderr: string }> => {
  let stdout = '';
  let stderr = '';
  const code = await runCommand({
    argv,
    environment,
    cwd,
    version: '1.2.3',
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
  });
  return { code, stdout, stderr };
};

it('help goes to stdout with status 0', async () => {
  expect(await command(['--help'])).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Usage:') });
});

it('a mistake goes to stderr with status 2 and says where help is', async () => {
  expect(await command(['--nonsense'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^doompi-sandbox: error: .*nonsense.* \[CLI_USAGE\]\nSee doompi-sandbox --help\n$/),
  });
});

it('every mistake in the settings is one line', async () => {
  const { code, stderr } = await command(['--env', 'PATH'], { DOOMPI_SANDBOX_BROKER: 'maybe' });
  expect(code).toBe(2);
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines.filter((line) => line.endsWith(' [LAUNCH_SETTINGS_INVALID]'))).toHaveLength(2);
});

it('nesting is refused with status 125', async () => {
  expect(await command([], { DOOMPI_SANDBOX: '1' })).toMatchObject({
    code: 125,
    stderr: expect.stringContaining('already runs inside a sandbox'),
  });
});

it('the whole file system is no repository', async () => {
  expect(await command([])).toMatchObject({ code: 125, stderr: expect.stringContaining('the whole file system') });
});

it('prints the version it was given', async () => {
  expect(await command(['--version'])).toEqual({ code: 0, stdout: '1.2.3\n', stderr: '' });
});

it.each(['plan', 'build'])('%s is refused inside a sandbox like a launch, with nothing on stdout', async (name) => {
  expect(await command([name], { DOOMPI_SANDBOX: '1' })).toEqual({
    code: 125,
    stdout: '',
    stderr: expect.stringMatching(/already runs inside a sandbox.* \[LAUNCH_NESTED\]\n$/) as string,
  });
});

it.each([['plan'], ['plan', '--json'], ['build']])('%s %s without an engine fails with the code of that', async (...argv) => {
  await using directory = await temporaryDirectory();
  const { code, stdout, stderr } = await command(argv, { PATH: directory.path }, directory.path);
  expect({ code, stdout }).toEqual({ code: 125, stdout: '' });
  expect(stderr).toMatch(/^doompi-sandbox: error: No container engine.* \[ENGINE_NOT_FOUND\]\n$/);
});

it.each([['plan'], ['build'], ['run']])('%s with a mistake in the settings ends with 2', async (name) => {
  expect(await command([name], { DOOMPI_SANDBOX_RUN_FLAGS: '--privileged' })).toMatchObject({ code: 2, stdout: '' });
});
