import { existsSync, readFileSync, statSync } from 'node:fs';
import { canInstall } from '../engine/apt.mjs';
import { askDocker } from '../engine/answer.mjs';
import { findProgram } from '../programs.mjs';
import { daemonHost } from './places.mjs';
import { findTestUser } from './user.mjs';

/** Programs, or files, and the Debian package of each, by what needs them. */
const TOOLS = /** @type {const} */ ({
  podman: [
    ['podman', 'podman'],
    ['crun', 'crun'],
    ['/usr/lib/podman/netavark', 'netavark'],
    // Rootful podman's way to the launcher by tcp; the rootless engines' only network.
    ['slirp4netns', 'slirp4netns'],
    ['/usr/lib/podman/aardvark-dns', 'aardvark-dns'],
    ['iptables', 'iptables'],
  ],
  rootless: [
    ['newuidmap', 'uidmap'],
    ['fuse-overlayfs', 'fuse-overlayfs'],
  ],
  'docker-rootless': [['rootlesskit', 'rootlesskit']],
  namespace: [
    ['ip', 'iproute2'],
    ['iptables', 'iptables'],
  ],
  gvisor: [['runsc', 'runsc']],
});

/** Without its recommendations Debian's podman lacks a network and a runtime. */
export const PODMAN_PACKAGES = TOOLS.podman.map(([, name]) => name);

/** @returns {Record<string, readonly string[]>} */
const missingPackages = (/** @type {string | undefined} */ path) =>
  Object.fromEntries(
    Object.entries(TOOLS).map(([need, tools]) => [
      need,
      tools
        .filter(([file]) => (file.startsWith('/') ? !existsSync(file) : findProgram(file, path) === undefined))
        .map(([, name]) => name),
    ]),
  );

/** Kernels say it in different places; a file that is not there forbids nothing. */
const userNamespaces = () => {
  const value = (/** @type {string} */ file) => {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch {
      return undefined;
    }
  };
  return (
    existsSync('/proc/self/ns/user') &&
    value('/proc/sys/user/max_user_namespaces') !== '0' &&
    value('/proc/sys/kernel/unprivileged_userns_clone') !== '0' &&
    value('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') !== '1'
  );
};

const tun = () => {
  try {
    return (statSync('/dev/net/tun').mode & 0o006) === 0o006 ? 'open' : 'closed';
  } catch {
    return 'absent';
  }
};

/**
 * @param {Pick<import('../setup.mjs').Context, 'run' | 'env'>} context
 * @returns {Promise<import('./plan.mjs').VariantFacts>}
 */
export const gatherVariantFacts = async (context) => {
  const path = context.env['PATH'];
  /** @type {readonly import('./record.mjs').VariantId[]} */
  const daemons = ['docker-rootless', 'docker-userns', 'docker-gvisor'];
  const answers = await Promise.all(daemons.map(async (id) => (await askDocker(context, daemonHost(id))).answers));
  return {
    canPrepare: canInstall(),
    dockerd: findProgram('dockerd', path) !== undefined,
    userNamespaces: userNamespaces(),
    tun: tun(),
    user: findTestUser() !== undefined,
    missing: missingPackages(path),
    answering: daemons.filter((_id, index) => answers[index]),
  };
};
