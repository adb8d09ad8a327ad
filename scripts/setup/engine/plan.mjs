import { SetupFailure } from '../failure.mjs';

/** @typedef {{ install: readonly string[], start: 'none' | 'wait' | 'systemd' | 'by hand' }} SystemPlan */

const INSTALL_ADVICE =
  'Install Docker (docs.docker.com/engine/install), start it, and run this again. `docker version` must show a Server.';

/** @param {import('./facts.mjs').Facts} facts */
const refusal = ({ docker, override, elsewhere, platform, isRoot, debian, dockerd, cgroups, enoughCapabilities }) => {
  if (override !== '' && override !== 'docker')
    return new SetupFailure(`DOOMPI_SANDBOX_ENGINE=${override} is not an engine that set-up knows`, {
      next: 'Unset it, or set it to docker.',
    });
  if (docker.answers) return undefined;
  const why = docker.why;
  if (elsewhere !== undefined)
    return new SetupFailure(`The docker server of ${elsewhere} does not answer`, {
      why,
      next: 'Start that server, or unset DOCKER_HOST (docker context use default) to use one on this machine.',
    });
  if (platform !== 'linux') return new SetupFailure('No docker server answers', { why, next: INSTALL_ADVICE });
  if (!isRoot)
    return new SetupFailure('No docker server answers', {
      why,
      next: /permission denied/i.test(why)
        ? 'Your user may not use the docker socket: sudo usermod -aG docker "$USER", then log in again.'
        : dockerd
          ? 'Start it: sudo systemctl start docker. Then run this again.'
          : debian === undefined
            ? INSTALL_ADVICE
            : 'Install and start it: sudo apt-get install docker.io iptables. Then run this again.',
    });
  if (!dockerd && debian === undefined)
    return new SetupFailure('There is no Docker Engine on this machine', { why, next: INSTALL_ADVICE });
  if (!enoughCapabilities)
    return new SetupFailure('Root may not start a docker server here', {
      why: 'CAP_SYS_ADMIN or CAP_NET_ADMIN is missing, as in an ordinary container',
      next: 'Run this on a machine of its own, in a privileged container, or hand in a docker socket (DOCKER_HOST).',
    });
  if (!cgroups)
    return new SetupFailure('dockerd cannot start: no cgroup file system is mounted on /sys/fs/cgroup', {
      why,
      next: 'Mount one: mount -t cgroup2 none /sys/fs/cgroup. Then run this again.',
    });
  return undefined;
};

/** Debian 13 has the CLI in a package of its own. */
const enginePackages = (/** @type {number} */ debian) => (debian >= 13 ? ['docker.io', 'docker-cli'] : ['docker.io']);

/**
 * What to do so that docker answers and the tools are there. Pure.
 * @param {import('./facts.mjs').Facts} facts
 * @returns {SystemPlan}
 * @throws {SetupFailure} where that is left to the person
 */
export const planSystem = (facts) => {
  const refused = refusal(facts);
  if (refused !== undefined) throw refused;
  const { docker, debian, isRoot, dockerd, daemonPid, missing, systemd } = facts;
  const engine = docker.answers || (docker.cli && dockerd) ? [] : enginePackages(debian ?? Number.NaN);
  const install = [...engine, ...missing];
  if (install.length > 0 && (debian === undefined || !isRoot))
    throw new SetupFailure(`Programs are missing on this machine: ${install.join(', ')}`, {
      next:
        debian === undefined
          ? 'Install them with your package manager and run this again.'
          : `Install them: sudo apt-get install ${install.join(' ')}. Then run this again.`,
    });
  return { install, start: docker.answers ? 'none' : daemonPid !== undefined ? 'wait' : systemd ? 'systemd' : 'by hand' };
};

/** What the plan changes on the machine, as the words of a question: "Set-up will …". Empty when it changes nothing. */
export const describePlan = (/** @type {SystemPlan} */ { install, start }) =>
  [
    ...(install.length > 0 ? [`install the Debian packages ${install.join(', ')}`] : []),
    ...(start === 'none' || start === 'wait' ? [] : [start === 'systemd' ? 'start the docker service' : 'start dockerd']),
  ].join(' and ');
