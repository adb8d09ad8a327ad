import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import lockfile from 'proper-lockfile';

/** A lock that its holder has not renewed for this long, in milliseconds, is a dead holder's. */
const STALE = 10_000;

/** Time between two looks at a held lock, in milliseconds. */
const RETRY = 200;

export interface BuildLockOptions {
  /** Private directory of the locks; created when it is not there. */
  readonly directory: string;
  /** Called once when another process holds the lock. */
  readonly onWait: () => void;
  readonly signal?: AbortSignal | undefined;
}

type Release = () => Promise<void>;

const isHeld = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ELOCKED';

/** Takes the lock, or undefined when a living process holds it. */
const tryLock = async (file: string): Promise<Release | undefined> => {
  try {
    // A holder that was suspended may lose its lock. Then two builds of the same inputs run, which costs time and nothing else.
    return await lockfile.lock(file, { realpath: false, stale: STALE, update: STALE / 5, onCompromised: () => undefined });
  } catch (error) {
    if (isHeld(error)) return undefined;
    throw error;
  }
};

const takeLock = async (file: string, { onWait, signal }: BuildLockOptions): Promise<Release> => {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const release = await tryLock(file);
    if (release !== undefined) return release;
    if (attempt === 1) onWait();
    await wait(RETRY);
  }
};

/** Runs an action while no other process on this machine runs one of the same name. */
export const withBuildLock = async <Result>(
  name: string,
  options: BuildLockOptions,
  action: () => Promise<Result>,
): Promise<Result> => {
  await mkdir(options.directory, { recursive: true, mode: 0o700 });
  const release = await takeLock(join(options.directory, name.replaceAll(/[^A-Za-z0-9_.-]/g, '-')), options);
  try {
    return await action();
  } finally {
    // A lock that was lost cannot be released; nor need it be.
    await release().catch(() => undefined);
  }
};
