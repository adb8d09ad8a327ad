import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryDirectory extends AsyncDisposable {
  /** Absolute real path (no symlink in it). */
  readonly path: string;
  /** Deletes the directory and all in it; a second call does nothing. */
  readonly dispose: () => Promise<void>;
}

/** An empty directory of mode 0700 below the system's temporary directory. `prefix` may hold any character but `/`. */
export const temporaryDirectory = async (prefix = 'doompi-test-'): Promise<TemporaryDirectory> => {
  const path = await mkdtemp(join(await realpath(tmpdir()), prefix));
  const dispose = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
  return { path, dispose, [Symbol.asyncDispose]: dispose };
};
