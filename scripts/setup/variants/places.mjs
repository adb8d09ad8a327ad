import { join } from 'node:path';

/** Of all clones on the machine: images of the test engines are loaded once. Only root writes here. */
const PERSISTENT = '/var/lib/doompi-sandbox-test';

/** What a restart of the machine makes worthless: sockets, pid files, mounts. */
export const RUNTIME = '/run/doompi-sandbox-test';

/** A normal user whose rootless engines the tests use. */
export const TEST_USER = 'doompi-test';

/** Not below PERSISTENT, which its user may not list. */
export const TEST_HOME = `/home/${TEST_USER}`;

/** Private to the user, and there without a login session. */
export const USER_RUNTIME = join(RUNTIME, 'user');

export const logFile = (/** @type {import('./record.mjs').VariantId} */ id) => join(PERSISTENT, id, 'daemon.log');

/**
 * Files of a rootful daemon of its own.
 * @param {import('./record.mjs').VariantId} id
 */
export const daemonPlaces = (id) => {
  const directory = join(PERSISTENT, id);
  const run = join(RUNTIME, id);
  return {
    directory,
    config: join(directory, 'daemon.json'),
    data: join(directory, 'data'),
    run,
    pid: join(run, 'docker.pid'),
    socket: join(run, 'docker.sock'),
    exec: join(run, 'docker'),
  };
};

/** Endpoint of a variant's daemon. */
export const daemonHost = (/** @type {import('./record.mjs').VariantId} */ id) =>
  `unix://${id === 'docker-rootless' ? join(USER_RUNTIME, 'docker.sock') : daemonPlaces(id).socket}`;
