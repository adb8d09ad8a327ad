import { EventEmitter, once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Duplex } from 'node:stream';

/** What the launcher knows of the containers of its session. */
export interface Lifeline extends AsyncDisposable {
  /** Whether a container has ever connected: before that, no agent runs. */
  readonly connected: boolean;
  /** Resolves with the first connection; never when there is none. */
  readonly firstConnection: Promise<void>;
  /** Takes a connection that came another way than through the listener. */
  accept(connection: Duplex): void;
  /** Whether a container is still connected after at most this many milliseconds; answers as soon as none is. */
  outlives(patienceMs: number): Promise<boolean>;
}

/**
 * Opens what each container of a session stays connected to. Nothing is ever sent: the connection ends with the launcher,
 * however it ends, and the container notices.
 * @param path - of a Unix socket; undefined to take only the connections that are handed over
 */
export const openLifeline = async (path: string | undefined): Promise<Lifeline> => {
  const connections = new Set<Duplex>();
  const idle = new EventEmitter();
  let connected = false;
  const first = Promise.withResolvers<void>();
  const accept = (connection: Duplex): void => {
    connected = true;
    first.resolve();
    connections.add(connection);
    connection.on('error', () => connection.destroy());
    connection.on('close', () => {
      connections.delete(connection);
      if (connections.size === 0) idle.emit('idle');
    });
    // Nobody sends here; an end is the end of the connection.
    connection.on('end', () => connection.destroy());
    connection.resume();
  };
  const server = createServer(accept);
  if (path !== undefined) {
    server.listen(path);
    await once(server, 'listening');
    await chmod(path, 0o600);
  }
  return {
    get connected() {
      return connected;
    },
    firstConnection: first.promise,
    accept,
    outlives: async (patienceMs) => {
      if (connections.size > 0) await once(idle, 'idle', { signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
      return connections.size > 0;
    },
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      for (const connection of connections) connection.destroy();
      await closed;
    },
  };
};
