import type { ServerHttp2Session, SessionOptions } from 'node:http2';

const KIB = 1024;

/** Unread bytes that one connection may have on its way to the container, and back, each side's own memory at stake. */
const WINDOW = 256 * KIB;

/**
 * Of all connections together. Node returns this credit as soon as bytes arrive, so that a slow reader holds up nobody else. While it
 * writes, Node's HTTP/2 does not read: what both sides may have under way must fit into the first socket (on Linux 208 KiB,
 * `net.core.wmem_default`), or each waits for the other for ever.
 */
const SESSION_WINDOW = 128 * KIB;

/** Connections at a time; more than an agent opens, and a bound for what a container can make its launcher hold. */
const MAX_CONNECTIONS = 2048;

export const MULTIPLEX_OPTIONS: SessionOptions = {
  settings: { initialWindowSize: WINDOW, maxConcurrentStreams: MAX_CONNECTIONS, maxHeaderListSize: 4 * KIB, enablePush: false },
  // Until the other side has said how many: requests beyond it wait instead of failing.
  peerMaxConcurrentStreams: MAX_CONNECTIONS,
  // MB. With all connections open the default of 10 refuses new ones.
  maxSessionMemory: 128,
};

/** For the options that both ends share, once the session is set up. */
export const widen = (session: Pick<ServerHttp2Session, 'setLocalWindowSize'>): void =>
  session.setLocalWindowSize(SESSION_WINDOW);

/** Header of a lifeline: transports that were tried in vain before, as `socket=EPERM,tcp=ETIMEDOUT`. */
export const PASSED_OVER = 'doompi-passed-over';
