import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bridgeEntryPath } from '../src/index.ts';
import config from '../tsup.config.ts';
import { scratch, type Scratch } from './helpers/session.ts';

const BUDGET_BYTES = 60_000;

describe('the built entry', () => {
  let directory: Scratch;
  let entry: string;

  beforeAll(async () => {
    directory = await scratch();
    await build({ ...config, config: false, dts: false, silent: true, outDir: directory.path });
    entry = join(directory.path, 'entry.js');
  });
  afterAll(async () => directory[Symbol.asyncDispose]());

  it('is one file that imports node: modules only', async () => {
    expect((await readdir(directory.path)).toSorted()).toEqual(['entry.js', 'index.js']);
    const imports = [...(await readFile(entry, 'utf8')).matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map(
      ([, name]) => name,
    );
    expect(imports.length).toBeGreaterThan(5);
    expect(
      imports.filter((name) => !builtinModules.includes(name?.replace(/^node:/, '') ?? '') || !name?.startsWith('node:')),
    ).toEqual([]);
  });

  it(`stays below ${BUDGET_BYTES} bytes`, async () => {
    const { size } = await stat(entry);
    console.log(`entry.js: ${size} bytes`);
    expect(size).toBeLessThan(BUDGET_BYTES);
  });

  it('runs a command and returns its status', async () => {
    const run = promisify(execFile)(process.execPath, [entry, 'sh', '-c', 'echo out; echo err >&2; exit 6'], { env: {} });
    await expect(run).rejects.toMatchObject({ code: 6, stdout: 'out\n', stderr: 'err\n' });
  });

  it('says why it does not, on stderr', async () => {
    const run = promisify(execFile)(process.execPath, [entry, 'no-such-agent'], { env: {} });
    await expect(run).rejects.toMatchObject({
      code: 127,
      stdout: '',
      stderr: expect.stringMatching(/^doompi-sandbox: agent command not found/),
    });
  });

  it('looks for the session where the contract says', async () => {
    const run = promisify(execFile)(process.execPath, [entry, 'true'], { env: { DOOMPI_SANDBOX: '1' } });
    await expect(run).rejects.toMatchObject({ code: 69, stderr: expect.stringContaining('/run/doompi/session') });
  });
});

describe('bridgeEntryPath', () => {
  it('is where the build puts the entry', () => {
    const path = bridgeEntryPath();
    expect(isAbsolute(path)).toBe(true);
    expect(path).toBe(join(import.meta.dirname, '..', 'dist', 'entry.js'));
  });
});
