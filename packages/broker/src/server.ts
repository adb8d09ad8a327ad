import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { handleHalfClose } from './half-close.ts';
import type { Handler } from './handler.ts';

const SECOND = 1000;

/** An HTTP server that is not listening yet, and the connections it has. */
export interface BrokerServer {
  readonly server: Server;
  /** Ends every connection at once. */
  readonly destroyConnections: () => void;
}

/**
 * Builds the server around a handler. Connections may also be handed to it by `server.emit('connection', duplex)`.
 * Its limits never cut an upload or a stream that still makes progress.
 */
export const createBrokerServer = (handler: Handler, onConnection: () => void): BrokerServer => {
  const server = createServer({
    // Longer than client pools keep a connection, and announced to them.
    keepAliveTimeout: 600 * SECOND,
    headersTimeout: 60 * SECOND,
    requestTimeout: 0,
    maxHeaderSize: 32 * 1024,
    noDelay: true,
    insecureHTTPParser: false,
    // The Host rule has its own answer.
    requireHostHeader: false,
  });
  handleHalfClose(server);
  const sockets = new Set<Duplex>();
  server.on('connection', (socket: Duplex) => {
    sockets.add(socket);
    // One listener per request in progress, and clients may send many at once.
    socket.setMaxListeners(0);
    socket.on('close', () => sockets.delete(socket));
    onConnection();
  });
  const answering = new WeakMap<Duplex, number>();
  const count = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    answering.set(socket, (answering.get(socket) ?? 0) + 1);
    response.on('close', () => answering.set(socket, (answering.get(socket) ?? 1) - 1));
  };
  server.on('request', (request, response) => {
    count(request, response);
    handler.request(request, response);
  });
  server.on('checkContinue', (request, response) => {
    count(request, response);
    handler.checkContinue(request, response);
  });
  server.on('checkExpectation', (request, response) => handler.checkExpectation(request, response));
  server.on('upgrade', (request, socket) => handler.upgrade(request, socket));
  server.on('connect', (request, socket) => handler.connect(request, socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Into a connection with an unfinished response, nothing else can be written.
    if (!socket.writable || error.code === 'ECONNRESET' || (answering.get(socket) ?? 0) > 0) {
      socket.destroy();
      return;
    }
    handler.malformed(socket, error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'invalid_request');
  });
  return {
    server,
    destroyConnections: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};
