import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ProgramResult, runProgram, temporaryDirectory } from '@doompi-sandbox/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { piShim } from '../src/pi-shim.ts';

let root: string;
let dispose: () => Promise<void>;

const executable = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
  await chmod(join(root, path), 0o755);
};

/** A pi that prints its name and its arguments, one a line. */
const pi = (name: string): string => `#!/bin/sh\nprintf '%s\\n' '${name}' "$@"\n`;

const REAL = 'agent/node_modules/.bin/pi';

const run = (args: readonly string[], path = `${root}/bin`): Promise<ProgramResult> =>
  runProgram(join(root, 'bin/pi'), args, { env: { PATH: path }, timeoutMs: 5000 });

beforeEach(async () => {
  ({ path: root, dispose } = await temporaryDirectory());
  await executable('bin/pi', piShim().replaceAll('/opt/doompi', root));
});
afterEach(() => dispose());

describe('piShim', () => {
  it('adds the extension and keeps every argument as it is', async () => {
    await executable(REAL, pi('real'));
    const { stdout } = await run(['-p', 'two  words', '', '*', '$HOME']);
    expect(stdout.split('\n')).toEqual(['real', '-e', `${root}/extension.mjs`, '-p', 'two  words', '', '*', '$HOME', '']);
    expect((await run([])).stdout).toBe(`real\n-e\n${root}/extension.mjs\n`);
  });

  it.each(['install', 'remove', 'uninstall', 'update', 'list', 'config', 'auth', 'mcp'])(
    'leaves the subcommand %s alone',
    async (name) => {
      await executable(REAL, pi('real'));
      expect((await run([name, '-p'])).stdout).toBe(`real\n${name}\n-p\n`);
    },
  );

  it('takes a subcommand for a prompt when it does not come first', async () => {
    await executable(REAL, pi('real'));
    expect((await run(['-p', 'list'])).stdout).toContain('-e\n');
  });

  it('falls back to PATH and never starts itself, under any name', async () => {
    await executable('other/pi', pi('other'));
    await mkdir(join(root, 'link'));
    await symlink(join(root, 'bin/pi'), join(root, 'link/pi'));
    const { stdout } = await run(['x'], `::.:${root}/link:${root}/bin:${root}/other`);
    expect(stdout).toBe(`other\n-e\n${root}/extension.mjs\nx\n`);
  });

  it('is 127 with a message when there is no pi', async () => {
    expect(await run(['x'])).toMatchObject({ exitCode: 127, stdout: '', stderr: 'pi: not installed in this image\n' });
  });

  it('passes on the exit status', async () => {
    await executable(REAL, '#!/bin/sh\nexit 42\n');
    expect((await run([])).exitCode).toBe(42);
  });
});
