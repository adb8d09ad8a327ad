import { BridgeError } from './error.ts';

/** `sun_path` of unix(7) holds 108 bytes, the terminating null included. */
export const UNIX_PATH_LIMIT = 107;

/**
 * Refuses a Unix socket path that the kernel cannot hold: some Node releases cut it and use another file.
 * @throws BridgeError BRIDGE_SOCKET_PATH_TOO_LONG, with the length in bytes and the limit.
 */
export const assertUnixPath = (path: string): void => {
  const bytes = Buffer.byteLength(path);
  if (bytes <= UNIX_PATH_LIMIT) return;
  throw new BridgeError(
    'BRIDGE_SOCKET_PATH_TOO_LONG',
    `socket path is ${bytes} bytes long, the limit is ${UNIX_PATH_LIMIT}: ${path}`,
    { path, bytes, limit: UNIX_PATH_LIMIT },
  );
};
