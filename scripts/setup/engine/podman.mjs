import { SetupFailure } from '../failure.mjs';
import { ensureBaseImage } from '../image/ensure.mjs';
import { findProgram } from '../programs.mjs';
import { PODMAN_PACKAGES } from '../variants/facts.mjs';
import { rootfulEnvironment } from '../variants/podman.mjs';
import { aptInstall, canInstall } from './apt.mjs';

/**
 * A podman that starts containers, with the base image, for a demo that runs on it.
 * @param {import('../setup.mjs').Context} context
 * @returns {Promise<Record<string, string>>} what the environment of its command needs
 */
export const ensurePodman = async (context) => {
  const { root, env, consent, report } = context;
  if (findProgram('podman', env['PATH']) === undefined) {
    if (!canInstall())
      throw new SetupFailure('There is no podman on this machine', { next: 'Install podman (podman.io), then run this again.' });
    await consent(`install the Debian packages ${PODMAN_PACKAGES.join(', ')}`);
    await aptInstall(context, PODMAN_PACKAGES);
  } else report.skip('engine: podman is there');
  const environment = process.getuid?.() === 0 ? rootfulEnvironment(root) : {};
  await ensureBaseImage(context, { argv: ['podman'], env: environment });
  return environment;
};
