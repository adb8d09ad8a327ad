import { setTimeout as delay } from 'node:timers/promises';
import { LABELS } from '@doompi-sandbox/contract';
import {
  isEngineError,
  listContainers,
  removeContainer,
  type ContainerSummary,
  type Engine,
  type ExitStatus,
} from '@doompi-sandbox/engine';
import { LaunchError } from '../../error.ts';
import type { Lifeline } from '../../sessions/lifeline.ts';
import { exitCodeOf } from './exit-status.ts';
import type { Interruption } from './interruption.ts';

/** The engine's own status for "could not create or start the container" (docker run, "Exit status"). */
export const ENGINE_FAILURE = 125;

/** Time, in milliseconds, in which a container that has ended is seen to have let go of the lifeline. */
const LET_GO = 1000;

/** Time, in milliseconds, in which the engine makes a container that it was asked for before its client was interrupted. */
const CREATION = 2000;

/** The session's containers; when there is none, those that appear before the time is over. */
const sessionContainers = async (engine: Engine, sessionId: string, patienceMs: number): Promise<ContainerSummary[]> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const last = performance.now() >= deadline;
    // One that is being made is listed before it can be inspected.
    const found = await listContainers(engine, { labels: { [LABELS.session]: sessionId } }).catch((error: unknown) => {
      if (last || !isEngineError(error, 'ENGINE_COMMAND_FAILED')) throw error;
      return [];
    });
    if (found.length > 0 || last) return found;
    await delay(100);
  }
};

/** States, in the engine's word, of a container whose agent may still run. */
const ALIVE: ReadonlySet<string> = new Set(['running', 'paused', 'restarting']);

/** Whether there was one that still ran. */
const removeLeftContainer = async (engine: Engine, sessionId: string, patienceMs: number): Promise<boolean> => {
  try {
    const left = await sessionContainers(engine, sessionId, patienceMs);
    await Promise.all(left.map(async ({ id }) => removeContainer(engine, id)));
    return left.some(({ state }) => ALIVE.has(state));
  } catch (cause) {
    throw new LaunchError(
      'LAUNCH_CONTAINER_LEFT',
      `the session's container may still run: ${engine.name} could not be asked to remove it. Remove what "${engine.name} ps --all --filter label=${LABELS.session}=${sessionId}" lists`,
      { session: sessionId },
      { cause },
    );
  }
};

export interface EndedSession {
  readonly sessionId: string;
  readonly engine: Engine;
  /** How the engine's client ended. */
  readonly status: ExitStatus;
  readonly interruption: Interruption;
  readonly lifeline: Lifeline;
}

/**
 * What the end of the engine's client means for the session, as an exit code; a container that it left behind is removed.
 * @throws LaunchError LAUNCH_CLIENT_ENDED, LAUNCH_CONTAINER_LEFT
 */
export const concludeSession = async ({ sessionId, engine, status, interruption, lifeline }: EndedSession): Promise<number> => {
  const held = await lifeline.outlives(LET_GO);
  const { first } = interruption;
  const unsure = first !== undefined || 'signal' in status || status.exitCode === ENGINE_FAILURE;
  // Killed while it asked for the container, the client is gone before the engine has made it.
  const patienceMs = lifeline.connected || first === undefined ? 0 : CREATION;
  const ran = (held || unsure) && (await removeLeftContainer(engine, sessionId, patienceMs));
  // A tunnel's lifeline ends with the engine's exec, which may hang when its container is gone (docker with gVisor): the engine knows.
  const outlived = held && ran;
  // No agent ran, or the client did not wait for it: the signal is what ended the session.
  const noAgent = outlived || !lifeline.connected || ('exitCode' in status && status.exitCode === ENGINE_FAILURE);
  if (first !== undefined && noAgent) return exitCodeOf({ signal: first });
  if (!outlived || 'signal' in status) return exitCodeOf(status);
  const { exitCode } = status;
  throw new LaunchError(
    'LAUNCH_CLIENT_ENDED',
    `${engine.name} let go of the session (exit status ${exitCode}) while the agent still ran; the agent was ended`,
    { engine: engine.name, exitCode },
  );
};
