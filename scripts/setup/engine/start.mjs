import { join } from 'node:path';
import { SetupFailure } from '../failure.mjs';
import { adviceFor, START_DEADLINE, startDaemon, untilAnswer } from './daemon.mjs';

/** @param {import('../setup.mjs').Context} context @returns {Promise<string>} version */
const startByHand = (context) =>
  startDaemon(context, {
    name: 'dockerd',
    argv: ['dockerd'],
    runDirectory: '/var/run',
    logFile: join(context.root, '.state/dockerd.log'),
  });

/** @param {import('../setup.mjs').Context} context */
const startByService = async (context) => {
  const started = await context.run('systemctl', ['start', 'docker'], { timeoutMs: START_DEADLINE });
  const version = started.ok ? await untilAnswer(context) : undefined;
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
