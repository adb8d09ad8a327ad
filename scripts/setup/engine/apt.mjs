import { SetupFailure } from '../failure.mjs';

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
    let result = await install();
    if (!result.ok) {
      // No package lists, or lists so old that the mirror has other versions by now.
      const update = await run('apt-get', ['update', '-o', 'DPkg::Lock::Timeout=120'], options);
      result = update.ok ? await install() : update;
    }
    if (!result.ok)
      throw new SetupFailure(`apt-get could not install ${packages.join(', ')}`, {
        why: result.tail,
        next: /No space left/i.test(result.tail)
          ? 'The disk is full: free some space and run this again.'
          : /Temporary failure|Could not (resolve|connect)|Failed to fetch/i.test(result.tail)
            ? 'The Debian mirror did not answer: check the network and /etc/apt, then run this again.'
            : `apt-get install ${packages.join(' ')} shows it all; run this again after it works.`,
      });
  });
};
