import { setTimeout as wait } from 'node:timers/promises';
import { traitsOf, type AttachedProcess, type EngineKind } from '@doompi-sandbox/engine';
import { withFileLock } from '@doompi-sandbox/image';

/** Longest time, in milliseconds, for which others wait for a container that does not say that it runs. */
const LONGEST_TURN = 10_000;

export interface Turn {
  readonly engine: EngineKind;
  /** What sessions with the same volumes have in common: the name of one of them. */
  readonly volume: string | undefined;
  /** Private directory of locks. Undefined, or one that cannot be written: nobody waits. */
  readonly lockDirectory: string | undefined;
  /** Resolves when the container runs, and so holds its volumes. */
  readonly running: Promise<void>;
  readonly signal: AbortSignal;
  /** Called once when another session starts. */
  readonly onWait: () => void;
}

/**
 * Starts a session's container, one at a time among those with the same volumes where the engine needs it: podman locks them in any
 * order, so that two of them can wait for each other for ever, and every other command of podman with them.
 * @throws the signal's reason when aborted before its turn, and what `start` throws
 */
export const startInTurn = async (
  { engine, volume, lockDirectory, running, signal, onWait }: Turn,
  start: () => AttachedProcess,
): Promise<AttachedProcess> => {
  if (volume === undefined || traitsOf(engine).volumeLocks !== 'any-order') return start();
  return new Promise((resolve, reject) => {
    const turn = async (): Promise<void> => {
      const process = start();
      resolve(process);
      const over = new AbortController();
      const late = wait(LONGEST_TURN, undefined, { signal: over.signal, ref: false });
      await Promise.race([running, process.exited, late]).catch(() => undefined);
      over.abort();
      await late.catch(() => undefined);
    };
    withFileLock(`start-${volume}`, { directory: lockDirectory, signal, onWait }, turn).catch(reject);
  });
};
