import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';

/**
 * Opens the listener that each container of a session stays connected to. Nothing is ever sent: the connection ends with the launcher,
 * however it ends, and the container notices.
 */
export const openLifeline = async (path: string): Promise<AsyncDisposable> => {
  const connections = new Set<Socket>();
  const server = createServer((connection) => {
    connections.add(connection);
    connection.on('error', () => connection.destroy());
    connection.on('close', () => connections.delete(connection));
    connection.resume();
  });
  server.listen(path);
  await once(server, 'listening');
  await chmod(path, 0o600);
  return {
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const connection of connections) connection.destroy();
      await closed;
    },
  };
};
