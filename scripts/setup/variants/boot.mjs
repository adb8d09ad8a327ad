import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Empties a directory of sockets, pid files and mounts when the machine was started anew since it was filled, as a /run in memory would be
 * by itself: on a disk it keeps what looks like running engines.
 * @param {string} directory
 * @param {string} [bootId]
 */
export const emptyAfterBoot = (directory, bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) => {
  const stamp = join(directory, 'boot');
  try {
    if (readFileSync(stamp, 'utf8') === bootId) return;
  } catch {
    // Never filled, or not by us.
  }
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true, mode: 0o711 });
  writeFileSync(stamp, bootId);
};
