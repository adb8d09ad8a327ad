import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** podman asks for this many; a machine whose hard limit is lower, without the right to raise it, starts no container. */
const PODMAN_LIMITS = { nofile: 1_048_576, nproc: 4_194_304 };

const CAP_SYS_RESOURCE = 24n;

/**
 * What decides whether podman starts containers without being told more.
 * @typedef {object} PodmanFacts
 * @property {boolean} hybrid cgroup v1 beside v2 with controllers, which crun refuses
 * @property {{ nofile: number, nproc: number }} hardLimits
 * @property {boolean} mayRaiseLimits
 * @property {boolean} configured by the person, in /etc/containers/containers.conf
 */

const hardLimit = (/** @type {string} */ limits, /** @type {string} */ name) => {
  const value = new RegExp(String.raw`^${name}\s+\S+\s+(\S+)`, 'm').exec(limits)?.[1] ?? 'unlimited';
  return value === 'unlimited' ? Number.POSITIVE_INFINITY : Number(value);
};

/** @returns {PodmanFacts} */
export const gatherPodmanFacts = ({ proc = '/proc', cgroup = '/sys/fs/cgroup', etc = '/etc' } = {}) => {
  const read = (/** @type {string} */ file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const limits = read(join(proc, 'self/limits'));
  // podman lowers its own limit of processes to this before it starts a container.
  const pidMax = Number(read(join(proc, 'sys/kernel/pid_max')) || PODMAN_LIMITS.nproc);
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(read(join(proc, 'self/status')))?.[1] ?? '0'}`);
  return {
    hybrid: !existsSync(join(cgroup, 'cgroup.controllers')) && read(join(cgroup, 'unified/cgroup.controllers')).trim() !== '',
    hardLimits: { nofile: hardLimit(limits, 'Max open files'), nproc: Math.min(hardLimit(limits, 'Max processes'), pidMax) },
    mayRaiseLimits: ((effective >> CAP_SYS_RESOURCE) & 1n) === 1n,
    configured: existsSync(join(etc, 'containers/containers.conf')),
  };
};

/**
 * The containers.conf without which podman starts nothing on this machine; empty where it needs none. Pure.
 * Rootless podman takes the limits that it has, so only rootful podman is told of them.
 * @param {PodmanFacts} facts
 * @param {{ rootless: boolean }} options
 */
export const podmanConfiguration = ({ hybrid, hardLimits, mayRaiseLimits }, { rootless }) => {
  const limits = /** @type {const} */ (['nofile', 'nproc']).filter((name) => hardLimits[name] < PODMAN_LIMITS[name]);
  const ulimits = limits.map((name) => `"${name}=${hardLimits[name]}:${hardLimits[name]}"`).join(', ');
  return [
    ...(rootless || mayRaiseLimits || limits.length === 0 ? [] : ['[containers]', `default_ulimits = [${ulimits}]`]),
    ...(hybrid ? ['[engine]', 'runtime = "runc"'] : []),
  ]
    .map((line) => `${line}\n`)
    .join('');
};
