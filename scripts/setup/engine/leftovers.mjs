import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ exists(pid: number): boolean, name(pid: number): string }} Processes */

/** @type {Processes} */
export const realProcesses = {
  exists: (pid) => {
    try {
      // A zombie that nobody reaped is gone for our purpose.
      return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  },
  name: (pid) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    } catch {
      return '';
    }
  },
};

/**
 * What a pid file says: `absent`, the pid of a `live` process of that program, or `stale`. After a restart of the machine
 * the number may belong to any other program.
 * @param {string} file
 * @param {string} program
 * @param {Processes} processes
 * @returns {{ state: 'absent' | 'stale' } | { state: 'live', pid: number }}
 */
export const readPidFile = (file, program, processes) => {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return { state: 'absent' };
  }
  const pid = Number(text.trim());
  const isLive = Number.isInteger(pid) && pid > 0 && processes.exists(pid) && processes.name(pid) === program;
  return isLive ? { state: 'live', pid } : { state: 'stale' };
};

const isThere = (/** @type {string} */ file) => {
  try {
    lstatSync(file);
    return true;
  } catch {
    return false;
  }
};

/** Pid of the dockerd that the pid file names, when it is one. */
export const runningDaemon = (/** @type {string} */ runDirectory, processes = realProcesses) => {
  const daemon = readPidFile(join(runDirectory, 'docker.pid'), 'dockerd', processes);
  return daemon.state === 'live' ? daemon.pid : undefined;
};

/** What containerd binds anew; a socket file without a listener would be waited for. */
const CONTAINERD_SOCKETS = ['containerd.sock', 'containerd.sock.ttrpc', 'containerd-debug.sock'];

/**
 * Makes way for a new dockerd: removes pid files whose process is gone or is another program, and the sockets beside them.
 * A running dockerd is answered, never touched. Images, volumes and containers stay; dockerd itself puts its containers right.
 * @param {string} runDirectory /var/run
 * @param {Processes} [processes]
 * @param {string} [containerd] where its containerd has its sockets
 * @returns {{ live: number | undefined, removed: string[] }}
 */
export const clearLeftovers = (runDirectory, processes = realProcesses, containerd = join(runDirectory, 'docker/containerd')) => {
  const live = runningDaemon(runDirectory, processes);
  if (live !== undefined) return { live, removed: [] };
  const child = readPidFile(join(containerd, 'containerd.pid'), 'containerd', processes);
  const stale = ['docker.pid', 'docker.sock'].map((name) => join(runDirectory, name));
  // A containerd that outlived its dockerd serves the next one.
  if (child.state !== 'live') stale.push(...['containerd.pid', ...CONTAINERD_SOCKETS].map((name) => join(containerd, name)));
  const removed = stale.filter(isThere);
  for (const file of removed) rmSync(file, { force: true, recursive: false });
  return { live: undefined, removed };
};
