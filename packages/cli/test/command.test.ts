import { expect, it } from 'vitest';
import { runCommand } from '../src/index.ts';

const command = async (
  argv: string[],
  environment: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> => {
  let stdout = '';
  let stderr = '';
  const code = await runCommand({
    argv,
    environment,
    cwd: '/',
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
    stderr: expect.stringContaining('See doompi-sandbox --help'),
  });
});

it('every mistake in the settings is one line', async () => {
  const { code, stderr } = await command(['--env', 'PATH'], { DOOMPI_SANDBOX_BROKER: 'maybe' });
  expect(code).toBe(2);
  expect(stderr.trimEnd().split('\n')).toHaveLength(2);
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
