import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needRoom } from './disk.mjs';
import { SetupFailure } from './failure.mjs';

/** Everything that decides what `pnpm install` puts in place. */
const fingerprint = (/** @type {string} */ root) => {
  const manifests = readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'package.json'));
  const files = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests];
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const file of files.toSorted()) {
    if (existsSync(join(root, file))) hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
};

/** Exact version that package.json asks for: `pnpm@10.34.8`. */
const packageManager = (/** @type {string} */ root) => {
  const { packageManager: asked } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (typeof asked !== 'string' || !/^pnpm@\d+\.\d+\.\d+$/.test(asked))
    throw new SetupFailure('package.json#packageManager must be pnpm@<exact version>');
  return asked;
};

/**
 * Node 24 and all packages of the workspace, by the pnpm that package.json names.
 * @param {import('./setup.mjs').Context} context
 */
export const ensureWorkspace = async ({ root, report, run }) => {
  const stamp = join(root, 'node_modules/.doompi-setup');
  const wanted = fingerprint(root);
  const isThere = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && existsSync(join(root, 'node_modules/.bin/node'));
  if (isThere) {
    report.skip('workspace: Node 24 and packages are installed as the lockfile has them');
    return;
  }
  await needRoom(root, 1500, 'the packages of the workspace');
  const pnpm = packageManager(root);
  await report.step(`workspace: installing Node 24 and packages (npx ${pnpm})`, async () => {
    rmSync(stamp, { force: true });
    // CI: pnpm then replaces a node_modules of another layout instead of asking.
    const install = await run('npx', ['-y', pnpm, 'install', '--frozen-lockfile'], { cwd: root, env: { CI: 'true' } });
    if (!install.ok)
      throw new SetupFailure(`npx ${pnpm} install ${install.timedOut ? 'took longer than 10 minutes' : 'failed'}`, {
        why: install.tail,
        next: /ENOSPC|no space left/i.test(install.tail)
          ? 'The disk is full: free some space and run it again.'
          : /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|SELF_SIGNED|UNABLE_TO|FETCH|network/i.test(install.tail)
            ? 'The npm registry did not answer: check the network, a proxy (HTTPS_PROXY) and extra certificates (NODE_EXTRA_CA_CERTS), then run it again.'
            : 'Run it again after a look at the lines above; it goes on where it stopped.',
      });
    writeFileSync(stamp, wanted);
  });
};
