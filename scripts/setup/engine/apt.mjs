import { readFileSync } from 'node:fs';
import { SetupFailure } from '../failure.mjs';
import { findProgram } from '../programs.mjs';

/** Major version of the Debian that this is; undefined elsewhere. */
export const debianVersion = () => {
  let release = '';
  try {
    release = readFileSync('/etc/os-release', 'utf8');
  } catch {
    return undefined;
  }
  if (!/^ID="?debian"?$/m.test(release) || findProgram('apt-get', '/usr/bin') === undefined) return undefined;
  return Number(/^VERSION_ID="?(\d+)/m.exec(release)?.[1] ?? Number.NaN);
};

/** Whether set-up may install packages here at all. */
export const canInstall = () => process.getuid?.() === 0 && debianVersion() !== undefined;

/** A file in /etc that is there stays as it is, and nobody is asked. */
const INSTALL = [
  'install',
  '-y',
  '--no-install-recommends',
  '-o',
  'Dpkg::Options::=--force-confold',
  '-o',
  'Dpkg::Options::=--force-confdef',
  '-o',
  'DPkg::Lock::Timeout=120',
];

const ENV = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };

/**
 * Installs Debian packages without their recommendations. An interrupt waits for dpkg, and what an earlier one left half-done is finished first.
 * @param {Pick<import('../setup.mjs').Context, 'run' | 'report'>} context
 * @param {readonly string[]} packages
 */
export const aptInstall = async ({ run, report }, packages) => {
  await report.step(`packages: apt-get install ${packages.join(' ')}`, async () => {
    const options = { env: ENV, finish: true };
    const audit = await run('dpkg', ['--audit'], options);
    if (audit.stdout.trim() !== '') await run('dpkg', ['--configure', '-a', '--force-confold'], options);
    const install = () => run('apt-get', [...INSTALL, ...packages], options);
    const first = await install();
    if (first.ok) return;
    // No package lists, or lists so old that the mirror has other versions by now. An update that reaches no mirror ends with 0.
    const update = await run('apt-get', ['update', '-o', 'DPkg::Lock::Timeout=120'], options);
    const second = await install();
    if (second.ok) return;
    const unreached = /^[WE]: .*(Failed to fetch|Could not|Temporary failure)/m.test(update.stderr);
    const why = unreached ? update.tail : second.tail;
    throw new SetupFailure(`apt-get could not install ${packages.join(', ')}`, {
      why,
      next: /No space left|enough free space/i.test(why)
        ? 'The disk is full: free some space and run this again.'
        : unreached || /Failed to fetch/.test(why)
          ? 'The Debian mirror did not answer: check the network and /etc/apt, then run this again.'
          : `apt-get install ${packages.join(' ')} shows it all; run this again after it works.`,
    });
  });
};
