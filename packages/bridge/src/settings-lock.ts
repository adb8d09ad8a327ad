import { mkdir, rmdir, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from './error.ts';

/** Pi locks its settings with proper-lockfile: a directory beside the file, stale after 10 s. */
const STALE_MS = 10_000;
const RETRY_MS = 20;
const PATIENCE_MS = 2000;

const stale = async (lock: string): Promise<boolean> => {
  try {
    return Date.now() - (await stat(lock)).mtimeMs > STALE_MS;
  } catch {
    return false;
  }
};

const acquire = async (lock: string): Promise<void> => {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      await mkdir(lock);
      return;
    } catch (error) {
      if (reasonOf(error) !== 'EEXIST') throw error;
      if (await stale(lock)) await rmdir(lock).catch(() => {});
      else if (performance.now() >= deadline) throw error;
      else await delay(RETRY_MS);
    }
  }
};

/** Runs `action` while holding Pi's own lock on `path`: another session may share the home directory. */
export const withSettingsLock = async (path: string, action: () => Promise<void>): Promise<void> => {
  const lock = `${path}.lock`;
  await acquire(lock);
  try {
    await action();
  } finally {
    await rmdir(lock).catch(() => {});
  }
};
