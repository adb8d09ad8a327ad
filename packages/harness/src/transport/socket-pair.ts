import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * Two ends of one connection, the second one unread, for a child process to have as its stdin and stdout.
 * @param path - of a Unix socket that is there only meanwhile, in a directory that nobody else can enter
 */
export const socketPair = async (path: string): Promise<readonly [near: Socket, far: Socket]> => {
  const server = createServer({ pauseOnConnect: true }).listen(path);
  await once(server, 'listening');
  try {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const near = connect(path);
    const [[far]] = await Promise.all([accepted, once(near, 'connect')]);
    return [near, far];
  } finally {
    server.close();
  }
};
