import { EventEmitter, once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';

/** What the launcher knows of the containers of its session. */
export interface Lifeline extends AsyncDisposable {
  /** Whether a container has ever connected: before that, no agent runs. */
  readonly connected: boolean;
  /** Resolves with the first connection; never when there is none. */
  readonly firstConnection: Promise<void>;
  /** Whether a container is still connected after at most this many milliseconds; answers as soon as none is. */
  outlives(patienceMs: number): Promise<boolean>;
}

/**
 * Opens the listener that each container of a session stays connected to. Nothing is ever sent: the connection ends with the launcher,
 * however it ends, and the container notices.
 */
export const openLifeline = async (path: string): Promise<Lifeline> => {
  const connections = new Set<Socket>();
  const idle = new EventEmitter();
  let connected = false;
  const first = Promise.withResolvers<void>();
  const server = createServer((connection) => {
    connected = true;
    first.resolve();
    connections.add(connection);
    connection.on('error', () => connection.destroy());
    connection.on('close', () => {
      connections.delete(connection);
      if (connections.size === 0) idle.emit('idle');
    });
    connection.resume();
  });
  server.listen(path);
  await once(server, 'listening');
  await chmod(path, 0o600);
  return {
    get connected() {
      return connected;
    },
    firstConnection: first.promise,
    outlives: async (patienceMs) => {
      if (connections.size > 0) await once(idle, 'idle', { signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
      return connections.size > 0;
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const connection of connections) connection.destroy();
      await closed;
    },
  };
};
