import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { SetupFailure } from '../failure.mjs';
import { askDocker } from './answer.mjs';
import { clearLeftovers } from './leftovers.mjs';

/** Milliseconds. */
const START_DEADLINE = 60_000;

/** Known ends of dockerd's log, in words that say what to do. */
const ADVICE = /** @type {const} */ ([
  [
    /cgroup isn't mounted|cgroup mountpoint/i,
    'Mount the cgroup file systems (mount -t cgroup2 none /sys/fs/cgroup), then run this again.',
  ],
  [/iptables/i, 'dockerd could not set up its firewall rules: check that iptables works here (iptables -t nat -L).'],
  [/no space left/i, 'The disk is full: free some space below /var/lib/docker, then run this again.'],
  [
    /error initializing graphdriver|overlay/i,
    'The file system of /var/lib/docker does not take overlay mounts: give it another one.',
  ],
  [/timeout.*containerd|containerd.*timeout/i, 'A containerd of an earlier dockerd may hold its database: see ps -C containerd.'],
]);

const adviceFor = (/** @type {string} */ log) =>
  ADVICE.find(([pattern]) => pattern.test(log))?.[1] ?? 'Start dockerd by hand to see more, then run this again.';

/** @param {import('../setup.mjs').Context} context @param {() => string | undefined} ended says why waiting is in vain @returns {Promise<string | undefined>} version */
const untilAnswer = async (context, ended) => {
  const until = performance.now() + START_DEADLINE;
  while (performance.now() < until) {
    context.signal.throwIfAborted();
    const answer = await askDocker(context);
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

/** @param {import('../setup.mjs').Context} context */
const startByHand = async (context) => {
  const { root, env, report } = context;
  const { live, removed } = clearLeftovers('/var/run');
  if (live !== undefined) {
    report.note(`engine: dockerd runs already (pid ${live}); waiting for its answer`);
    const version = await untilAnswer(context, () => undefined);
    if (version !== undefined) return version;
    throw new SetupFailure(`dockerd (pid ${live}) runs but does not answer`, {
      next: 'Look into its log. Set-up ends no daemon that it did not start.',
    });
  }
  if (removed.length > 0) report.note(`engine: removed what a dead dockerd left: ${removed.join(' ')}`);
  const state = join(root, '.state');
  mkdirSync(state, { recursive: true });
  const logFile = join(state, 'dockerd.log');
  const log = openSync(logFile, 'a');
  const { size } = fstatSync(log);
  /** @type {string | undefined} */
  let ended;
  // It outlives us: its own session, no pipe to us, no directory held.
  const daemon = spawn('dockerd', [], { cwd: '/', env: { ...env }, detached: true, stdio: ['ignore', log, log] });
  daemon.once('error', (error) => (ended = error.message));
  daemon.once('exit', (code, signal) => (ended = `dockerd ended with ${code ?? signal}`));
  daemon.unref();
  closeSync(log);
  const version = await untilAnswer(context, () => ended);
  if (version !== undefined) return version;
  const tail = logSince(logFile, size);
  throw new SetupFailure(ended ?? `dockerd does not answer after ${START_DEADLINE / 1000} s`, {
    why: `the end of ${logFile}:\n${tail}`,
    next: adviceFor(tail),
  });
};

/** @param {import('../setup.mjs').Context} context */
const startByService = async (context) => {
  const started = await context.run('systemctl', ['start', 'docker'], { timeoutMs: START_DEADLINE });
  const version = started.ok ? await untilAnswer(context, () => undefined) : undefined;
  if (version !== undefined) return version;
  const journal = await context.run('journalctl', ['--unit=docker', '--lines=15', '--no-pager', '--output=cat'], {
    timeoutMs: 5000,
  });
  throw new SetupFailure('The docker service does not start', {
    why: `${started.tail}\n${journal.tail}`,
    next: adviceFor(journal.tail),
  });
};

/**
 * Starts the docker server of this machine and waits for its answer.
 * @param {import('../setup.mjs').Context} context
 * @param {'wait' | 'systemd' | 'by hand'} how
 * @returns {Promise<string>} the server's version
 */
export const startDocker = (context, how) => (how === 'systemd' ? startByService(context) : startByHand(context));
