import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrokerSession } from '@doompi-sandbox/broker';
import { formatSessionFile, LABELS, SESSION_DIRECTORY, SESSION_ENTRIES, type SessionFile } from '@doompi-sandbox/contract';
import { attach, listContainers, removeContainer, runArguments, type Engine, type ExitStatus } from '@doompi-sandbox/engine';
import { LaunchError } from '../error.ts';
import { exitCodeOf } from './exit-status.ts';
import type { Host } from './host.ts';
import type { Interruption } from './interruption.ts';
import type { LaunchPlan } from './plan.ts';
import type { Environment } from './settings.ts';

export interface ApplyInput {
  readonly plan: LaunchPlan;
  readonly engine: Engine;
  readonly host: Host;
  readonly environment: Environment;
  readonly session: BrokerSession | undefined;
  /** Host directory mounted at `/run/doompi`. */
  readonly mount: string;
  readonly interruption: Interruption;
}

const inside = (entry: string) => ({ transport: 'unix', path: `${SESSION_DIRECTORY}/${entry}` }) as const;

const sessionFile = ({ plan, session }: ApplyInput): SessionFile => ({
  version: 1,
  sessionId: plan.sessionId,
  lifeline: inside(SESSION_ENTRIES.lifeline),
  ...(session === undefined || plan.bridgePort === undefined
    ? {}
    : { broker: { endpoint: inside(SESSION_ENTRIES.broker), bridgePort: plan.bridgePort, providers: session.providers } }),
});

/** Values for the engine client's own environment, which `-e NAME` reads. Never logged, never in an argument. */
const clientEnvironment = ({ plan, engine, environment, session }: ApplyInput): Record<string, string> => {
  const values: Record<string, string> = { ...engine.environment, ...plan.environment };
  for (const name of plan.passed) values[name] = environment[name] ?? '';
  for (const name of plan.tokens) {
    const token = session?.environment[name];
    if (token !== undefined) values[name] = token;
  }
  return values;
};

/** The engine's own status for "could not create or start the container" (docker run, "Exit status"). */
const ENGINE_FAILURE = 125;

/** Whether the client may have gone without its container. */
const mayHaveLeftContainer = (status: ExitStatus, interrupted: boolean): boolean =>
  interrupted || 'signal' in status || status.exitCode === ENGINE_FAILURE;

const removeLeftContainer = async (engine: Engine, sessionId: string): Promise<void> => {
  try {
    const left = await listContainers(engine, { labels: { [LABELS.session]: sessionId } });
    await Promise.all(left.map(async ({ id }) => removeContainer(engine, id)));
  } catch (cause) {
    throw new LaunchError(
      'LAUNCH_CONTAINER_LEFT',
      `the session's container may still run: ${engine.name} could not be asked to remove it. Remove what "${engine.name} ps --filter label=${LABELS.session}=${sessionId}" lists`,
      { session: sessionId },
      { cause },
    );
  }
};

/** Starts the container, stays attached until it ends and answers the agent's own exit status as a number. */
export const applyPlan = async (input: ApplyInput): Promise<number> => {
  const { plan, engine, host, interruption } = input;
  await writeFile(join(input.mount, SESSION_ENTRIES.session), formatSessionFile(sessionFile(input)), { mode: 0o644 });
  interruption.signal.throwIfAborted();
  const process = attach(engine, runArguments(plan.run), {
    environment: clientEnvironment(input),
    stdio: 'inherit',
    // Without a terminal the client gets a process group of its own, so that a signal sent to our group reaches the agent once.
    detached: !host.stdinIsTerminal,
  });
  interruption.deliverTo((signal) => {
    // Typed on a terminal that the engine did not put into raw mode, it went to the client's group already.
    const typed = host.stdinIsTerminal && !plan.run.tty && (signal === 'SIGINT' || signal === 'SIGQUIT');
    if (!typed) process.kill(signal);
  });
  const status = await process.exited;
  if (mayHaveLeftContainer(status, interruption.interrupted)) await removeLeftContainer(engine, plan.sessionId);
  return exitCodeOf(status);
};
