import { chmod, lstat, mkdir, readdir, readFile, rmdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentDirectory } from '../src/agent-directory.ts';
import { registerExtension } from '../src/register-extension.ts';
import { scratch } from './helpers/session.ts';

const EXTENSION = '/opt/doompi/extension.mjs';

const register = async (directory: string): Promise<string[]> => {
  const warnings: string[] = [];
  await registerExtension({ agentDirectory: directory, extension: EXTENSION, warn: (line) => warnings.push(line) });
  return warnings;
};

const settingsIn = async (directory: string): Promise<unknown> =>
  JSON.parse(await readFile(join(directory, 'settings.json'), 'utf8'));

describe('registering the extension', () => {
  it('makes directory and file', async () => {
    await using home = await scratch();
    const directory = join(home.path, '.pi', 'agent');
    expect(await register(directory)).toEqual([]);
    expect(await settingsIn(directory)).toEqual({ extensions: [EXTENSION] });
    expect(await readdir(directory)).toEqual(['settings.json']);
  });

  it('keeps every other setting, the mode, and what follows later', async () => {
    await using home = await scratch();
    const file = join(home.path, 'settings.json');
    const settings = { unknown: { deep: [1, null] }, extensions: ['./mine.ts', '-builtin:mcp'], theme: 'dark' };
    await writeFile(file, `\uFEFF${JSON.stringify(settings)}`);
    await chmod(file, 0o600);
    expect(await register(home.path)).toEqual([]);
    expect(await settingsIn(home.path)).toEqual({ ...settings, extensions: [...settings.extensions, EXTENSION] });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('does not write when it is listed', async () => {
    await using home = await scratch();
    const file = join(home.path, 'settings.json');
    const text = `{"extensions":["${EXTENSION}"],   "theme":"dark"}`;
    await writeFile(file, text);
    const before = await stat(file);
    expect(await register(home.path)).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe(text);
    expect((await stat(file)).ino).toBe(before.ino);
  });

  it.each([
    ['no JSON', '{"theme": ', 'not JSON'],
    ['a list', '[]', 'not an object'],
    ['extensions that are no list', '{"extensions": "x"}', '"extensions" is not a list'],
  ])('leaves %s alone, with one warning', async (_name, text, reason) => {
    await using home = await scratch();
    const file = join(home.path, 'settings.json');
    await writeFile(file, text);
    const warnings = await register(home.path);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`${file} (${reason})`);
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(await readdir(home.path)).toEqual(['settings.json']);
  });

  it('keeps a link to the settings a link', async () => {
    await using home = await scratch();
    const target = join(home.path, 'dotfile.json');
    await writeFile(target, '{"theme":"dark"}');
    const directory = join(home.path, 'agent');
    await mkdir(directory);
    await symlink(target, join(directory, 'settings.json'));
    expect(await register(directory)).toEqual([]);
    expect((await lstat(join(directory, 'settings.json'))).isSymbolicLink()).toBe(true);
    expect(JSON.parse(await readFile(target, 'utf8'))).toEqual({ theme: 'dark', extensions: [EXTENSION] });
  });

  it('waits for another session that writes the settings, and loses nothing of it', async () => {
    await using home = await scratch();
    const file = join(home.path, 'settings.json');
    const lock = `${file}.lock`;
    await writeFile(file, '{}');
    await mkdir(lock);
    const registering = register(home.path);
    await writeFile(file, '{"theme":"dark"}');
    await rmdir(lock);
    expect(await registering).toEqual([]);
    expect(await settingsIn(home.path)).toEqual({ theme: 'dark', extensions: [EXTENSION] });
  });

  it('takes over the lock of a session that died', async () => {
    await using home = await scratch();
    const lock = join(home.path, 'settings.json.lock');
    await mkdir(lock);
    const old = new Date(Date.now() - 60_000);
    await utimes(lock, old, old);
    expect(await register(home.path)).toEqual([]);
    expect(await readdir(home.path)).toEqual(['settings.json']);
  });

  it('many sessions at once agree', async () => {
    await using home = await scratch();
    const directory = join(home.path, 'agent');
    const warnings = await Promise.all(Array.from({ length: 20 }, async () => register(directory)));
    expect(warnings.flat()).toEqual([]);
    expect(await settingsIn(directory)).toEqual({ extensions: [EXTENSION] });
  });
});

describe('agent directory', () => {
  it.each([
    [{ HOME: '/h' }, '/h/.pi/agent'],
    [{ HOME: '/h', PI_CODING_AGENT_DIR: '/a' }, '/a'],
    [{ HOME: '/h', PI_CODING_AGENT_DIR: '~/a' }, '/h/a'],
    [{ HOME: '/h', PI_CODING_AGENT_DIR: '' }, '/h/.pi/agent'],
    [{}, undefined],
  ])('of %j is %s', (environment, expected) => {
    expect(agentDirectory(environment)).toBe(expected);
  });
});
