import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BrokerSession } from '@doompi-sandbox/broker';
import { formatSessionFile, LABELS, SESSION_DIRECTORY, SESSION_ENTRIES, type SessionFile } from '@doompi-sandbox/contract';
import {
  attach,
  listContainers,
  removeContainer,
  runArguments,
  type ContainerSummary,
  type Engine,
  type ExitStatus,
} from '@doompi-sandbox/engine';
import { LaunchError } from '../error.ts';
import type { Lifeline } from '../sessions/lifeline.ts';
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
  readonly lifeline: Lifeline;
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

/** Time, in milliseconds, in which a container that has ended is seen to have let go of the lifeline. */
const LET_GO = 1000;

/** Time, in milliseconds, in which the engine makes a container that it was asked for before its client was interrupted. */
const CREATION = 2000;

/** The session's containers; when there is none, those that appear before the time is over. */
const sessionContainers = async (engine: Engine, sessionId: string, patienceMs: number): Promise<ContainerSummary[]> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const found = await listContainers(engine, { labels: { [LABELS.session]: sessionId } });
    if (found.length > 0 || performance.now() >= deadline) return found;
    await delay(100);
  }
};

const removeLeftContainer = async (engine: Engine, sessionId: string, patienceMs: number): Promise<void> => {
  try {
    const left = await sessionContainers(engine, sessionId, patienceMs);
    await Promise.all(left.map(async ({ id }) => removeContainer(engine, id)));
  } catch (cause) {
    throw new LaunchError(
      'LAUNCH_CONTAINER_LEFT',
      `the session's container may still run: ${engine.name} could not be asked to remove it. Remove what "${engine.name} ps --all --filter label=${LABELS.session}=${sessionId}" lists`,
      { session: sessionId },
      { cause },
    );
  }
};

/** What the end of the client means; whatever it left behind is removed. */
const conclude = async (status: ExitStatus, { plan, engine, interruption, lifeline }: ApplyInput): Promise<number> => {
  const outlived = await lifeline.outlives(LET_GO);
  const { first } = interruption;
  const unsure = first !== undefined || 'signal' in status || status.exitCode === ENGINE_FAILURE;
  // Killed while it asked for the container, the client is gone before the engine has made it.
  if (outlived || unsure)
    await removeLeftContainer(engine, plan.sessionId, lifeline.connected || first === undefined ? 0 : CREATION);
  // No agent ran, or it ran on without its client: the signal is what ended the session.
  if (first !== undefined && (outlived || !lifeline.connected)) return exitCodeOf({ signal: first });
  if (!outlived || 'signal' in status) return exitCodeOf(status);
  const { exitCode } = status;
  throw new LaunchError(
    'LAUNCH_CLIENT_ENDED',
    `${engine.name} let go of the session (exit status ${exitCode}) while the agent still ran; the agent was ended`,
    { engine: engine.name, exitCode },
  );
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
  return conclude(await process.exited, input);
};
