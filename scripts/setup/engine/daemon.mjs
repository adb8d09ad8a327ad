import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { SetupFailure } from '../failure.mjs';
import { askDocker } from './answer.mjs';
import { clearLeftovers, realProcesses } from './leftovers.mjs';

/** Milliseconds. */
export const START_DEADLINE = 60_000;

/** Known ends of dockerd's log, in words that say what to do. */
const ADVICE = /** @type {const} */ ([
  [
    /cgroup isn't mounted|cgroup mountpoint/i,
    'Mount the cgroup file systems (mount -t cgroup2 none /sys/fs/cgroup), then run this again.',
  ],
  [/iptables/i, 'dockerd could not set up its firewall rules: check that iptables works here (iptables -t nat -L).'],
  [/no space left/i, 'The disk is full: free some space below /var/lib, then run this again.'],
  [
    /error initializing graphdriver|overlay/i,
    "The file system of the daemon's data below /var/lib does not take overlay mounts: give it another one.",
  ],
  [/timeout.*containerd|containerd.*timeout/i, 'A containerd of an earlier dockerd may hold its database: see ps -C containerd.'],
]);

export const adviceFor = (/** @type {string} */ log) =>
  ADVICE.find(([pattern]) => pattern.test(log))?.[1] ?? 'Start dockerd by hand to see more, then run this again.';

/**
 * Waits until a docker server answers, or until waiting is in vain.
 * @param {import('../setup.mjs').Context} context
 * @param {{ host?: string | undefined, ended?: () => string | undefined }} [options] `ended` says why nobody will answer any more
 * @returns {Promise<string | undefined>} its version
 */
export const untilAnswer = async (context, { host, ended = () => undefined } = {}) => {
  const until = performance.now() + START_DEADLINE;
  while (performance.now() < until) {
    context.signal.throwIfAborted();
    const answer = await askDocker(context, host);
    if (answer.answers) return answer.version;
    if (ended() !== undefined) return undefined;
    await pause(250, undefined, { signal: context.signal });
  }
  return undefined;
};

const logSince = (/** @type {string} */ file, /** @type {number} */ offset) =>
  readFileSync(file)
    .subarray(offset)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => !line.includes('module=grpc'))
    .slice(-10)
    .join('\n');

/**
 * Starts a dockerd that outlives us, over what a killed one left, and waits for its answer. One that runs already is waited for.
 * @param {import('../setup.mjs').Context} context
 * @param {object} daemon
 * @param {string} daemon.name in messages
 * @param {readonly [string, ...string[]]} daemon.argv
 * @param {string} daemon.runDirectory holds its pid file and socket
 * @param {string} [daemon.containerd] where its containerd has its sockets, when that is not docker/containerd of `runDirectory`
 * @param {string} daemon.logFile
 * @param {string} [daemon.host] endpoint; default: the one that the docker CLI takes
 * @returns {Promise<string>} the server's version
 */
export const startDaemon = async (context, { name, argv, runDirectory, containerd, logFile, host }) => {
  const { env, report } = context;
  const { live, removed } = clearLeftovers(runDirectory, realProcesses, containerd);
  if (live !== undefined) {
    report.note(`engine: ${name} runs already (pid ${live}); waiting for its answer`);
    const version = await untilAnswer(context, { host });
    if (version !== undefined) return version;
    throw new SetupFailure(`${name} (pid ${live}) runs but does not answer`, {
      next: 'Look into its log. Set-up ends no daemon that it did not start.',
    });
  }
  if (removed.length > 0) report.note(`engine: removed what a dead ${name} left: ${removed.join(' ')}`);
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a');
  const { size } = fstatSync(log);
  /** @type {string | undefined} */
  let ended;
  const [file, ...args] = argv;
  // It outlives us: its own session, no pipe to us, no directory held.
  const child = spawn(file, args, { cwd: '/', env: { ...env }, detached: true, stdio: ['ignore', log, log] });
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended = `${name} ended with ${code ?? signal}`));
  child.unref();
  closeSync(log);
  const version = await untilAnswer(context, { host, ended: () => ended });
  if (version !== undefined) return version;
  const tail = logSince(logFile, size);
  throw new SetupFailure(ended ?? `${name} does not answer after ${START_DEADLINE / 1000} s`, {
    why: `the end of ${logFile}:\n${tail}`,
    next: adviceFor(tail),
  });
};
