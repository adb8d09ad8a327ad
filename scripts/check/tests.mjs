import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXCUSES } from '../setup/variants/excuses.mjs';
import { workspacePackages } from './packages.mjs';

/** @typedef {import('./vitest-reporter.mjs').Summary} Summary */

/**
 * Skips that are right where CI is set: what the reason must start with, and why it cannot run on the machines of CI.
 * Every other skip fails there, because it would hide that something was not tested.
 * @type {readonly { reason: string, why: string }[]}
 */
const EXCUSED_SKIPS = [
  {
    reason: 'only root can give a directory to another user',
    why: 'chown needs root; the machines of CI run as root, others may not',
  },
  // A test skips with the reason that set-up wrote down.
  ...EXCUSES,
];

/** For one package's tests. The aggregate's run on every engine, and CI may be slow. Milliseconds. */
const DEADLINE = 1_800_000;

/** The aggregate's sessions take the longest and begin first; the other suite that drives the engine hard comes last, to run beside as little as can be. */
const order = (/** @type {string} */ folder) => (folder === '.' ? 0 : folder === 'packages/image' ? 2 : 1);

/**
 * One step for each package's tests, each in the package's own directory, as `pnpm --filter <package> test` runs them.
 * @param {{ root: string, must: (file: string, args: readonly string[], options?: import('../setup/run.mjs').RunOptions) => Promise<string> }} context
 * @param {string} work
 * @param {Map<string, Summary>} summaries filled as the steps end
 * @returns {import('./pool.mjs').Step[]}
 */
export const testSteps = ({ root, must }, work, summaries) =>
  [...workspacePackages(root), { folder: 'scripts', directory: join(root, 'scripts') }]
    .filter(({ directory }) => existsSync(join(directory, 'vitest.config.ts')) && existsSync(join(directory, 'test')))
    .toSorted((a, b) => order(a.folder) - order(b.folder))
    .map(({ folder, directory }) => ({
      name: `tests of ${folder === '.' ? 'the aggregate' : folder}`,
      work: async () => {
        const file = join(work, `${folder.replace('/', '-')}.json`);
        const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/check/vitest-reporter.mjs')}`];
        try {
          await must('vitest', ['run', ...reporters], {
            cwd: directory,
            env: { DOOMPI_TEST_SUMMARY: file, NO_COLOR: '1' },
            timeoutMs: DEADLINE,
          });
        } finally {
          if (existsSync(file)) summaries.set(folder, JSON.parse(readFileSync(file, 'utf8')));
        }
        const { passed = 0, skipped = [] } = summaries.get(folder) ?? {};
        if (passed === 0) throw new Error('no test ran');
        return `${passed} passed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`;
      },
    }));

/**
 * The last lines of the gate: every skipped test with its reason, then the counts.
 * @param {ReadonlyMap<string, Summary>} summaries
 * @param {boolean} isCi
 * @returns {{ lines: string[], refused: boolean }} `refused`: a skip that CI does not accept
 */
export const summaryLines = (summaries, isCi) => {
  const all = [...summaries.values()];
  const skipped = all.flatMap((summary) => summary.skipped);
  const judged = skipped.map(({ name, reason }) => ({
    name,
    reason: reason === '' ? 'no reason given' : reason,
    excused: EXCUSED_SKIPS.some((excuse) => reason.startsWith(excuse.reason)),
  }));
  const refused = isCi && judged.some(({ excused }) => !excused);
  const sum = (/** @type {'passed' | 'failed'} */ key) => all.reduce((total, summary) => total + summary[key], 0);
  return {
    refused,
    lines: [
      ...judged.map(
        ({ name, reason, excused }) => `skipped${isCi && !excused ? ' (not accepted where CI is set)' : ''}: ${name}: ${reason}`,
      ),
      `tests: ${sum('passed')} passed, ${sum('failed')} failed, ${skipped.length} skipped`,
    ],
  };
};
