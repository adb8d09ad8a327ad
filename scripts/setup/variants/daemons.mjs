import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { askDocker, dockerEnvironment } from '../engine/answer.mjs';
import { startDaemon } from '../engine/daemon.mjs';
import { SetupFailure } from '../failure.mjs';
import { findProgram } from '../programs.mjs';
import { ensureImage, ensureRuns } from './images.mjs';
import { daemonHost, daemonPlaces, logFile, TEST_USER, USER_RUNTIME } from './places.mjs';
import { asTestUser, ensureUserRuntime, userEnvironment } from './user.mjs';

/** @typedef {import('./record.mjs').Variant} Variant */
/** @typedef {import('../setup.mjs').Context} Context */

/** Where Debian's docker.io keeps it; Docker's own packages have it on PATH. */
const DEBIAN_CONTRIB = '/usr/share/docker.io/contrib';

/** No other platform of this gVisor starts without hardware support; the host's network stack is the only one that goes with `--network none`. */
const RUNSC = ['--platform=ptrace', '--network=host'];

/** Configuration of the daemons that root starts. */
const CONFIGURATIONS = {
  'docker-userns': () => ({ 'userns-remap': TEST_USER }),
  // `--host-uds=open` lets a container connect to a mounted Unix socket of the host.
  'docker-gvisor': (/** @type {string} */ runsc) => ({
    runtimes: {
      runsc: { path: runsc, runtimeArgs: RUNSC },
      'runsc-uds': { path: runsc, runtimeArgs: [...RUNSC, '--host-uds=open'] },
    },
  }),
};

/**
 * The base image in it, and, when something is new, a container that runs.
 * @param {Context} context
 * @param {Variant} variant
 * @param {string} reference
 * @param {{ isNew: boolean }} options
 */
const finish = async (context, variant, reference, { isNew }) => {
  const command = { argv: ['docker'], env: dockerEnvironment(daemonHost(variant.id)) };
  const brought = await ensureImage(context, variant.id, command, reference);
  if (brought || isNew)
    for (const options of [[], ...(variant.runtimes ?? []).map((name) => [`--runtime=${name}`])])
      await ensureRuns(context, command, reference, options);
  return variant;
};

/**
 * Starts the daemon unless it answers.
 * @param {Context} context
 * @param {import('./record.mjs').VariantId} id
 * @param {Omit<Parameters<typeof startDaemon>[1], 'name' | 'logFile' | 'host'>} daemon
 * @returns {Promise<boolean>} whether it was started
 */
const ensureDaemon = async (context, id, daemon) => {
  const host = daemonHost(id);
  if ((await askDocker(context, host)).answers) return false;
  await context.report.step(`${id}: starting dockerd`, () =>
    startDaemon(context, { ...daemon, name: `dockerd of ${id}`, logFile: logFile(id), host }),
  );
  return true;
};

/**
 * A dockerd of root in a network namespace of its own: in the one of another dockerd it would take over, and destroy, that one's bridge.
 * @param {Context} context
 * @param {'docker-userns' | 'docker-gvisor'} id
 * @param {string} reference
 * @param {import('./user.mjs').TestUser | undefined} user
 * @returns {Promise<Variant>}
 */
export const prepareOwnDaemon = async (context, id, reference, user) => {
  const { directory, config, data, run, pid, socket, exec } = daemonPlaces(id);
  for (const path of [directory, run]) mkdirSync(path, { recursive: true, mode: 0o711 });
  const text = `${JSON.stringify(CONFIGURATIONS[id](findProgram('runsc', context.env['PATH']) ?? ''))}\n`;
  if (!existsSync(config) || readFileSync(config, 'utf8') !== text) writeFileSync(config, text);
  const flags = [
    '--config-file',
    config,
    '--data-root',
    data,
    '--exec-root',
    exec,
    '--pidfile',
    pid,
    '--host',
    `unix://${socket}`,
  ];
  const script = 'ip link set lo up && exec dockerd "$@"';
  const remapped = id === 'docker-userns' && user !== undefined ? subordinateDirectory(exec, user.name) : undefined;
  const isNew = await ensureDaemon(context, id, {
    argv: ['unshare', '--net', 'sh', '-c', script, 'dockerd', ...flags],
    runDirectory: run,
    ...(remapped === undefined ? {} : { containerd: remapped }),
  });
  const runtimes = id === 'docker-gvisor' ? ['runsc', 'runsc-uds'] : undefined;
  const environment = { DOCKER_HOST: daemonHost(id) };
  return finish(context, { id, engine: 'docker', environment, ...(runtimes === undefined ? {} : { runtimes }) }, reference, {
    isNew,
  });
};

/** A remapping dockerd names the directories of its containerd after the ids that it remaps to. */
const subordinateDirectory = (/** @type {string} */ exec, /** @type {string} */ name) => {
  const first = (/** @type {string} */ file) => new RegExp(`^${name}:(\\d+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const suffix = `${first('/etc/subuid')}.${first('/etc/subgid')}`;
  return `${exec}.${suffix}/containerd.${suffix}`;
};

/**
 * Rootless docker of the test user. It has a network namespace of its own by nature.
 * @param {Context} context
 * @param {string} reference
 * @param {import('./user.mjs').TestUser} user
 * @returns {Promise<Variant>}
 */
export const prepareRootlessDocker = async (context, reference, user) => {
  ensureUserRuntime(user);
  const path = `${context.env['PATH'] ?? ''}:${DEBIAN_CONTRIB}`;
  const script = findProgram('dockerd-rootless.sh', path);
  if (script === undefined) throw new SetupFailure('there is no dockerd-rootless.sh on this machine');
  const isNew = await ensureDaemon(context, 'docker-rootless', {
    argv: /** @type {[string, ...string[]]} */ (asTestUser(user, path, [script])),
    runDirectory: USER_RUNTIME,
  });
  const environment = { ...userEnvironment(user), DOCKER_HOST: daemonHost('docker-rootless') };
  return finish(context, { id: 'docker-rootless', engine: 'docker', user, environment }, reference, { isNew });
};
