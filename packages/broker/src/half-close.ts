import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * A client that ends its side of a connection has gone, unless it said with `Connection: close` that this was its last request
 * (RFC 9112 9.6): then it still gets its answer. The two cannot be told apart otherwise, and a client that has gone must not keep an
 * upstream working.
 */
export const handleHalfClose = (server: Server): void => {
  // Node's server ends a connection with the client's side by default. The property is the only way to turn that off; it has no option.
  Object.assign(server, { httpAllowHalfOpen: true });
  const last = new WeakSet<Duplex>();
  const note = ({ socket, headers }: IncomingMessage): void => {
    if (/(?:^|,)\s*close\s*(?:,|$)/i.test(headers.connection ?? '')) last.add(socket);
  };
  server.on('request', note).on('checkContinue', note);
  server.on('connection', (socket: Duplex) => {
    socket.once('end', () => {
      if (!last.has(socket)) socket.destroy();
    });
  });
};
