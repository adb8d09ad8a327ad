import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { apiReports } from './check/api.mjs';
import { installEach } from './check/install.mjs';
import { lintTarballs, packAll } from './check/pack.mjs';
import { runSteps } from './check/pool.mjs';
import { summaryLines, testSteps } from './check/tests.mjs';
import { createRunner } from './setup/run.mjs';

// pnpm check: the one gate. Every step is printed with its time; the first that fails ends it, with that step's output.
// node scripts/check.mjs --only <words> runs the steps whose names hold one of the words, e.g. --only format,lint,engine.

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Steps at a time: the machines of CI have two cores. */
const WIDTH = 2;

const write = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/** Runs a program of the workspace; throws with all that it wrote unless it ends with 0. */
const createMust = (/** @type {AbortSignal} */ signal) => {
  const bin = join(ROOT, 'node_modules/.bin');
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
    TURBO_TELEMETRY_DISABLED: '1',
    NO_COLOR: '1',
  };
  const run = createRunner({ env, signal });
  return async (
    /** @type {string} */ file,
    /** @type {readonly string[]} */ args,
    /** @type {import('./setup/run.mjs').RunOptions} */ options = {},
  ) => {
    const result = await run(file, args, { cwd: ROOT, ...options });
    if (result.ok) return result.stdout;
    const how = result.timedOut ? 'took too long' : `ended with ${result.exitCode ?? 'a signal'}`;
    throw new Error(`${[file, ...args].join(' ')} ${how}\n${result.missing ? result.tail : `${result.stdout}${result.stderr}`}`);
  };
};

/**
 * @param {ReturnType<typeof createMust>} must
 * @param {string} work
 * @returns {import('./check/pool.mjs').Step[]}
 */
const staticSteps = (must, work) => {
  const context = { root: ROOT, must };
  /** @type {Map<string, string>} */
  let tarballs = new Map();
  const all = async (/** @type {(readonly [string, ...string[]])[]} */ ...commands) => {
    for (const [file, ...args] of commands) await must(file, args);
  };
  return [
    { name: 'format', work: () => all(['oxfmt', '--check', '.']) },
    { name: 'lint', work: () => all(['oxlint', '--type-aware', '--deny-warnings']) },
    { name: 'build', work: () => all(['pnpm', 'build']) },
    {
      name: 'typecheck',
      work: () =>
        all(
          ['turbo', 'run', 'typecheck', '--filter=./packages/*'],
          ['tsc', '-p', 'tsconfig.json'],
          ['tsc', '-p', 'scripts/tsconfig.json'],
        ),
    },
    { name: 'arrows', work: () => all(['depcruise', 'packages', 'src', 'demo', 'test', '--config', '.dependency-cruiser.cjs']) },
    { name: 'unused code', work: () => all(['knip']) },
    {
      name: 'public API',
      needs: ['build'],
      work: async () => {
        const { count, problems } = apiReports(ROOT, { update: false });
        if (problems.length === 0) return `${count} reports`;
        throw new Error(`${problems.join('\n')}\nafter a look at the difference: node scripts/api-reports.mjs --update`);
      },
    },
    {
      name: 'packed packages',
      needs: ['build'],
      work: async () => {
        tarballs = await packAll(context, work);
        await lintTarballs(context, tarballs);
        return `${tarballs.size} tarballs pass publint and attw`;
      },
    },
    {
      name: 'install from tarballs',
      needs: ['packed packages'],
      work: () => installEach(context, tarballs, join(work, 'projects')),
    },
  ];
};

/** Some programs colour what they write even into a pipe. */
const failureText = (/** @type {unknown} */ error) =>
  stripVTControlCharacters(error instanceof Error ? error.message : String(error));

const main = async () => {
  const started = performance.now();
  const stop = new AbortController();
  const interrupt = (/** @type {NodeJS.Signals} */ signal) => stop.abort(new Error(`interrupted by ${signal}`));
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const only = process.argv.includes('--only') ? (process.argv[process.argv.indexOf('--only') + 1] ?? '').split(',') : [];
  const chosen = (/** @type {import('./check/pool.mjs').Step} */ { name }) =>
    only.length === 0 || only.some((word) => name.includes(word));
  const work = await mkdtemp(join(tmpdir(), 'doompi-check-'));
  /** @type {Map<string, import('./check/tests.mjs').Summary>} */
  const summaries = new Map();
  try {
    const must = createMust(stop.signal);
    const setting = { width: WIDTH, write, onFailure: () => stop.abort(new Error('another step failed')) };
    const select = (/** @type {readonly import('./check/pool.mjs').Step[]} */ steps) => {
      const names = new Set(steps.filter(chosen).map(({ name }) => name));
      return steps.filter(chosen).map((step) => ({ ...step, needs: (step.needs ?? []).filter((need) => names.has(need)) }));
    };
    const context = { root: ROOT, must };
    const failure =
      (await runSteps(select(staticSteps(must, work)), setting)) ??
      (await runSteps(select(testSteps(context, work, summaries)), setting));
    if (failure !== undefined) {
      write(`\n${failureText(failure.error).trimEnd()}\n`);
      write(`check: FAILED at ${failure.step} after ${((performance.now() - started) / 1000).toFixed(1)} s`);
    } else write(`check: all steps pass (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    const { lines, refused } = summaryLines(summaries, (process.env['CI'] ?? '') !== '');
    for (const line of lines) write(line);
    return failure === undefined && !refused ? 0 : 1;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    await rm(work, { recursive: true, force: true });
  }
};

process.exitCode = await main();
