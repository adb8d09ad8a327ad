import { chmod, lstat, unlink } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { dirname, isAbsolute } from 'node:path';
import { BrokerError } from './error.ts';

/** Where a broker listens. */
export type Listen = UnixListen;

/** A Unix socket. Its directory must exist, belong to this process' user and be closed to others (mode 0700). */
export interface UnixListen {
  readonly transport: 'unix';
  /** Absolute path, at most 107 bytes. */
  readonly path: string;
}

/** `sun_path` of Linux has 108 bytes, the last one for NUL. A longer path fails with a bare EINVAL, or is cut. */
const PATH_LIMIT = 107;

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const assertPath = (listen: Listen): void => {
  if (listen?.transport !== 'unix')
    throw new TypeError(`listen.transport must be 'unix', got ${JSON.stringify(listen?.transport)}`);
  const { path } = listen;
  if (typeof path !== 'string' || !isAbsolute(path) || path.includes('\0'))
    throw new TypeError(`listen.path must be an absolute path, got ${JSON.stringify(path)}`);
  const length = Buffer.byteLength(path);
  if (length > PATH_LIMIT)
    throw new BrokerError(
      'BROKER_SOCKET_PATH_TOO_LONG',
      `The socket path has ${length} bytes, and a Unix socket path can have ${PATH_LIMIT}: ${path}`,
      { path, length, limit: PATH_LIMIT },
    );
};

const assertPrivateDirectory = async (directory: string, uid: number | undefined): Promise<void> => {
  const unsafe = (problem: string, cause?: unknown): BrokerError =>
    new BrokerError(
      'BROKER_SOCKET_DIRECTORY_UNSAFE',
      `Will not listen in ${directory}: it ${problem}`,
      { directory, problem },
      { cause },
    );
  const entry = await lstat(directory).catch((error: unknown) => {
    throw unsafe(isMissing(error) ? 'does not exist' : 'cannot be read', error);
  });
  if (!entry.isDirectory()) throw unsafe('is not a directory');
  if (uid !== undefined && entry.uid !== uid) throw unsafe('belongs to another user');
  if ((entry.mode & 0o777) !== 0o700) throw unsafe(`has mode ${(entry.mode & 0o777).toString(8)}, not 700`);
};

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

/** Removes what a broker left that did not end by itself; anything else stays and is an error. */
const removeStaleSocket = async (path: string, uid: number | undefined): Promise<void> => {
  const entry = await lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (entry === undefined) return;
  const taken = (problem: string): BrokerError =>
    new BrokerError('BROKER_SOCKET_PATH_TAKEN', `Will not replace ${path}: it ${problem}`, { path, problem });
  if (!entry.isSocket()) throw taken('is not a socket');
  if (uid !== undefined && entry.uid !== uid) throw taken('belongs to another user');
  if (await answers(path)) throw taken('is in use');
  await unlink(path);
};

/**
 * Makes a server listen on a Unix socket of mode 0600.
 * @throws BrokerError `BROKER_SOCKET_PATH_TOO_LONG`, `BROKER_SOCKET_DIRECTORY_UNSAFE`, `BROKER_SOCKET_PATH_TAKEN`, `BROKER_LISTEN_FAILED`.
 */
export const listenOn = async (server: Server, listen: Listen, uid: number | undefined): Promise<void> => {
  assertPath(listen);
  const { path } = listen;
  await assertPrivateDirectory(dirname(path), uid);
  await removeStaleSocket(path, uid);
  await new Promise<void>((resolve, reject) => {
    const failed = (cause: Error): void =>
      reject(new BrokerError('BROKER_LISTEN_FAILED', `Cannot listen on ${path}`, { path }, { cause }));
    server.once('error', failed);
    server.listen(path, () => {
      server.off('error', failed);
      resolve();
    });
  });
  await chmod(path, 0o600);
};
