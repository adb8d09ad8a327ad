import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as api from '../src/index.ts';
import { privateDirectory, REAL_KEY } from './support/broker.ts';

const PACKAGE = join(import.meta.dirname, '..');

it('the example of the README runs', async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  const example = /```js\n([^]*?)```/.exec(readme)?.[1] ?? '';
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', '--conditions=@doompi-sandbox/source', '--input-type=module', '--eval', example],
    { cwd: PACKAGE, env: { TMPDIR: await privateDirectory(), ANTHROPIC_API_KEY: REAL_KEY } },
  );
  expect(stdout).toMatch(/ANTHROPIC_API_KEY: 'sk-[\w-]{43}'[^]*id: 'anthropic', upstreamHost: 'api\.anthropic\.com'/);
  expect(stdout).not.toContain(REAL_KEY);
});

it('the README names every value that the package exports', async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  for (const name of Object.keys(api)) expect(readme).toContain(`\`${name}`);
});
