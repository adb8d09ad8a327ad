import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { workspacePackages } from './check/packages.mjs';
import { createRunner } from './setup/run.mjs';

// node scripts/packages-alone.mjs [package …]: shows that `pnpm --filter <package> build|typecheck|lint|test` works for every package alone.
// Each package begins in a clean clone of HEAD, so nothing that another one built can help it.

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const SCRIPTS = ['build', 'typecheck', 'lint', 'test'];

/** Nothing of ours in it that git does not have, but the packages from npm. */
const clean = async (/** @type {import('./setup/run.mjs').Run} */ run, /** @type {string} */ clone) => {
  const result = await run('git', ['clean', '-xdfq', '--exclude=node_modules'], { cwd: clone });
  if (!result.ok) throw new Error(result.tail);
};

/** A package by its full name, or by its folder's. */
const isCalled = (/** @type {string} */ name, /** @type {string} */ word) => name === word || name === `@doompi-sandbox/${word}`;

const main = async () => {
  const wanted = process.argv.slice(2);
  const known = workspacePackages(ROOT).flatMap(({ name, folder }) => (folder === '.' ? [] : [name]));
  const unknown = wanted.filter((word) => !known.some((name) => isCalled(name, word)));
  if (unknown.length > 0) {
    console.error(`packages-alone: no package is called ${unknown.join(', ')}; there are ${known.join(', ')}`);
    return 2;
  }
  const stop = new AbortController();
  const interrupt = (/** @type {NodeJS.Signals} */ signal) => stop.abort(new Error(`interrupted by ${signal}`));
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const work = await mkdtemp(join(tmpdir(), 'doompi-alone-'));
  const clone = join(work, 'clone');
  const bin = join(clone, 'node_modules/.bin');
  const own = join(ROOT, 'node_modules/.bin');
  const env = {
    ...process.env,
    PATH: [bin, own, process.env['PATH']].join(delimiter),
    NO_COLOR: '1',
    // The clone has no set-up of its own.
    DOOMPI_TEST_ENGINES: join(ROOT, '.state/engines.json'),
    TURBO_TELEMETRY_DISABLED: '1',
  };
  const run = createRunner({ env, signal: stop.signal });
  let failed = 0;
  try {
    for (const [file, ...args] of [
      ['git', 'clone', '--quiet', '--no-local', ROOT, clone],
      ['pnpm', '--dir', clone, 'install', '--frozen-lockfile', '--prefer-offline'],
    ]) {
      const result = await run(file ?? '', args);
      if (!result.ok) throw new Error(`${file} ${args.join(' ')} failed\n${result.tail}`);
    }
    const packages = workspacePackages(clone).filter(
      ({ name, folder }) => folder !== '.' && (wanted.length === 0 || wanted.some((word) => isCalled(name, word))),
    );
    for (const { name } of packages) {
      for (const script of SCRIPTS) {
        await clean(run, clone);
        const started = performance.now();
        const result = await run('pnpm', ['--filter', name, script], { cwd: clone });
        const time = `${((performance.now() - started) / 1000).toFixed(1)} s`;
        console.log(`${result.ok ? '✓' : '✗'} pnpm --filter ${name} ${script} (${time})`);
        if (result.ok) continue;
        failed += 1;
        console.log(result.stdout + result.stderr);
      }
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  console.log(failed === 0 ? 'packages-alone: ok' : `packages-alone: ${failed} failed`);
  return failed === 0 ? 0 : 1;
};

process.exitCode = await main();
