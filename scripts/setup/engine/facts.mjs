import { existsSync, readFileSync } from 'node:fs';
import { findProgram } from '../programs.mjs';
import { askDocker } from './answer.mjs';
import { debianVersion } from './apt.mjs';
import { runningDaemon } from './leftovers.mjs';

/**
 * What decides how an engine is had. Observed, nothing changed.
 * @typedef {object} Facts
 * @property {import('./answer.mjs').Answer} docker
 * @property {string} override value of DOOMPI_SANDBOX_ENGINE, or empty
 * @property {string | undefined} elsewhere the server that the CLI is told to use, when that is not this machine's own
 * @property {NodeJS.Platform} platform
 * @property {boolean} isRoot
 * @property {number | undefined} debian major version; undefined elsewhere
 * @property {boolean} systemd whether systemd runs this machine's services
 * @property {boolean} dockerd whether the program is there
 * @property {number | undefined} daemonPid of a dockerd that runs, answering or not
 * @property {boolean} cgroups whether a cgroup file system that dockerd can use is mounted
 * @property {boolean} enoughCapabilities whether root may mount and configure networks, as it may not in most containers
 * @property {readonly string[]} missing Debian packages of programs that are not there
 */

/** Programs that demo and tests call on this machine, and the Debian package of each. */
const TOOLS = { curl: 'curl', git: 'git', openssl: 'openssl', ps: 'procps', ss: 'iproute2' };

/** Programs that dockerd calls. */
const DAEMON_TOOLS = { iptables: 'iptables' };

const LOCAL = 'unix:///var/run/docker.sock';

const read = (/** @type {string} */ file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

const hasCgroups = () =>
  existsSync('/sys/fs/cgroup/cgroup.controllers') || / \/sys\/fs\/cgroup\/devices /.test(read('/proc/self/mountinfo'));

const CAP_NET_ADMIN = 12n;
const CAP_SYS_ADMIN = 21n;

/** Both bits: without them dockerd fails late and in riddles. */
const hasCapabilities = () => {
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(read('/proc/self/status'))?.[1] ?? '0'}`);
  return [CAP_NET_ADMIN, CAP_SYS_ADMIN].every((bit) => ((effective >> bit) & 1n) === 1n);
};

/** The endpoint of DOCKER_HOST or of the current context, when it is not the local socket. */
const remoteEndpoint = async (/** @type {Pick<import('../setup.mjs').Context, 'run' | 'env'>} */ { run, env }) => {
  const host = env['DOCKER_HOST'] ?? '';
  if (host !== '') return host === LOCAL || host === 'unix:///run/docker.sock' ? undefined : `DOCKER_HOST=${host}`;
  const shown = await run('docker', ['context', 'inspect', '--format', '{{.Name}} {{.Endpoints.docker.Host}}'], {
    timeoutMs: 5000,
  });
  const [name = '', endpoint = ''] = shown.stdout.trim().split(' ');
  return !shown.ok || endpoint === LOCAL || endpoint === '' ? undefined : `docker context ${name} (${endpoint})`;
};

/**
 * @param {Pick<import('../setup.mjs').Context, 'run' | 'env'>} context its PATH finds system programs
 * @returns {Promise<Facts>}
 */
export const gatherFacts = async (context) => {
  const { env } = context;
  const path = env['PATH'];
  const docker = await askDocker(context);
  const packagesOfAbsent = (/** @type {Record<string, string>} */ tools) =>
    Object.entries(tools).flatMap(([program, name]) => (findProgram(program, path) === undefined ? [name] : []));
  const isRoot = process.getuid?.() === 0;
  const debian = debianVersion();
  const missing = packagesOfAbsent(TOOLS);
  if (!docker.answers) {
    missing.push(...packagesOfAbsent(DAEMON_TOOLS));
    if (!existsSync('/etc/ssl/certs/ca-certificates.crt')) missing.push('ca-certificates');
    // With AppArmor in the kernel and no parser every container start fails.
    if (read('/sys/module/apparmor/parameters/enabled').startsWith('Y') && findProgram('apparmor_parser', path) === undefined)
      missing.push('apparmor');
  }
  return {
    docker,
    override: env['DOOMPI_SANDBOX_ENGINE'] ?? '',
    elsewhere: docker.answers || !docker.cli ? undefined : await remoteEndpoint(context),
    platform: process.platform,
    isRoot,
    debian,
    systemd: existsSync('/run/systemd/system'),
    dockerd: findProgram('dockerd', path) !== undefined,
    daemonPid: runningDaemon('/var/run'),
    cgroups: hasCgroups(),
    enoughCapabilities: hasCapabilities(),
    missing,
  };
};
