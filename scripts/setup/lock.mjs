import { spawn } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SetupFailure } from './failure.mjs';
import { findProgram } from './programs.mjs';

/** A directory that only this user can write: no stranger can hold our lock. */
const lockDirectory = (/** @type {Readonly<Record<string, string | undefined>>} */ env) => {
  const runtime = process.getuid?.() === 0 ? '/run' : (env['XDG_RUNTIME_DIR'] ?? join(env['HOME'] ?? '/nonexistent', '.cache'));
  const directory = join(runtime, 'doompi-sandbox');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { uid } = statSync(directory);
  if (uid !== process.getuid?.())
    throw new SetupFailure(`${directory} belongs to somebody else (uid ${uid})`, { next: 'Remove it and run set-up again.' });
  return directory;
};

/**
 * One set-up at a time on this machine, for one user: packages, daemon and images are shared by all clones.
 * The lock is the kernel's (flock), held by a child that ends with us: a killed set-up leaves nothing behind that blocks the next.
 * Where there is no `flock` (macOS) set-up touches nothing outside the clone, and there is no lock.
 * @param {Pick<import('./setup.mjs').Context, 'env' | 'report' | 'signal'> & { directory?: string }} setting
 * @returns {Promise<() => void>} releases it
 */
export const takeLock = async ({ env, report, signal, directory }) => {
  const flock = findProgram('flock', env['PATH']);
  if (flock === undefined) return () => {};
  const file = join(directory ?? lockDirectory(env), 'setup.lock');
  // `cat` ends when our end of its pipe does, however we end.
  const holder = spawn(flock, [file, 'sh', '-c', 'echo held; exec cat'], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = setTimeout(() => report.note('another set-up runs on this machine; waiting for its end'), 500);
  const release = () => {
    holder.stdin.destroy();
    holder.stdout.destroy();
  };
  try {
    await new Promise((resolve, reject) => {
      holder.stdout.once('data', resolve);
      holder.once('error', reject);
      holder.once('exit', () => reject(new SetupFailure(`flock ended without the lock ${file}`)));
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  } catch (error) {
    // Not through its pipe: a flock that still waits does not read it.
    if (holder.pid !== undefined && holder.exitCode === null) process.kill(-holder.pid, 'SIGTERM');
    throw error;
  } finally {
    clearTimeout(waiting);
  }
  holder.unref();
  return release;
};
