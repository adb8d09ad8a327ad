import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import lockfile from 'proper-lockfile';

/** A lock that its holder has not renewed for this long, in milliseconds, is a dead holder's. */
const STALE = 10_000;

/** Time between two looks at a held lock, in milliseconds. */
const RETRY = 200;

export interface FileLockOptions {
  /** Private directory of the locks; created when it is not there. Undefined: there are none. */
  readonly directory: string | undefined;
  /** Called once when another process holds the lock. */
  readonly onWait: () => void;
  readonly signal?: AbortSignal | undefined;
}

type Release = () => Promise<void>;

const isHeld = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ELOCKED';

/** Takes the lock, or undefined when a living process holds it. */
const tryLock = async (file: string): Promise<Release | undefined> => {
  try {
    // A holder that was suspended may lose its lock.
    return await lockfile.lock(file, { realpath: false, stale: STALE, update: STALE / 5, onCompromised: () => undefined });
  } catch (error) {
    if (isHeld(error)) return undefined;
    throw error;
  }
};

const takeLock = async (file: string, { onWait, signal }: FileLockOptions): Promise<Release> => {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const release = await tryLock(file);
    if (release !== undefined) return release;
    if (attempt === 1) onWait();
    await wait(RETRY);
  }
};

/** Makes the directory; undefined when it cannot be had, as with a home that is read-only or not there. */
const usableDirectory = async (directory: string | undefined): Promise<string | undefined> => {
  if (directory === undefined) return undefined;
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.W_OK | constants.X_OK);
    return directory;
  } catch {
    return undefined;
  }
};

/**
 * Runs an action while no other process on this machine runs one of the same name. Where no lock can be kept it is run without one.
 */
export const withFileLock = async <Result>(
  name: string,
  options: FileLockOptions,
  action: () => Promise<Result>,
): Promise<Result> => {
  const directory = await usableDirectory(options.directory);
  if (directory === undefined) return action();
  const release = await takeLock(join(directory, name.replaceAll(/[^A-Za-z0-9_.-]/g, '-')), options);
  try {
    return await action();
  } finally {
    // A lock that was lost cannot be released; nor need it be.
    await release().catch(() => undefined);
  }
};
