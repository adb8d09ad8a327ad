import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { SetupFailure } from './failure.mjs';

const SKIPPED = new Set([
  'node_modules',
  'dist',
  'test',
  '.turbo',
  '.git',
  '.state',
  'coverage',
  'docs',
  'demo',
  'scripts',
  'etc',
]);

/** @returns {string[]} */
const filesBelow = (/** @type {string} */ directory) =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
    SKIPPED.has(entry.name)
      ? []
      : entry.isDirectory()
        ? filesBelow(join(directory, entry.name))
        : entry.isFile() && !entry.name.endsWith('.md')
          ? [join(directory, entry.name)]
          : [],
  );

/** All that a build reads. */
const fingerprint = (/** @type {string} */ root) => {
  const hash = createHash('sha256');
  for (const file of filesBelow(root).toSorted())
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
};

/** @returns {string[]} every relative file that a manifest's exports name */
const exported = (/** @type {unknown} */ value) =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(exported) : [];

const outputsExist = (/** @type {string} */ root) =>
  ['.', ...readdirSync(join(root, 'packages')).map((name) => join('packages', name))]
    .filter((folder) => existsSync(join(root, folder, 'tsup.config.ts')))
    .every((folder) => {
      const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      return exported(exports).every((file) => existsSync(join(root, folder, file)));
    });

/**
 * Builds every package, then the aggregate. Needs the workspace.
 * @param {import('./setup.mjs').Context} context
 */
export const ensureBuild = async ({ root, env, report, run }) => {
  const stamp = join(root, 'node_modules/.doompi-build');
  const wanted = fingerprint(root);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && outputsExist(root)) {
    report.skip('build: the built files are those of these sources');
    return;
  }
  await report.step('build: every package, then the aggregate', async () => {
    rmSync(stamp, { force: true });
    const bin = join(root, 'node_modules/.bin');
    const build = await run(join(bin, 'pnpm'), ['build'], {
      cwd: root,
      env: { PATH: `${bin}${delimiter}${env['PATH'] ?? ''}`, TURBO_TELEMETRY_DISABLED: '1' },
    });
    if (!build.ok) throw new SetupFailure('pnpm build failed', { why: build.tail, next: 'pnpm build shows the whole output.' });
    writeFileSync(stamp, wanted);
  });
};
