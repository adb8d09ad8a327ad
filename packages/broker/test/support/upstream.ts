import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as an upstream saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
}

export interface TestUpstream {
  readonly url: string;
  readonly port: number;
  readonly seen: Seen[];
  readonly server: Server;
}

const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
};

const recorder = (seen: Seen[], listener: RequestListener): RequestListener => {
  return (request, response) => {
    const { method = '', url = '', rawHeaders, headers } = request;
    seen.push({ method, url, rawHeaders, headers });
    listener(request, response);
  };
};

/** Reads the body, then answers `{}`. */
export const answerJson: RequestListener = (request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 });
    response.end('{}');
  });
};

/** A real HTTP server on 127.0.0.1 that lives until the test ends. */
export const startUpstream = async (listener: RequestListener = answerJson): Promise<TestUpstream> => {
  const seen: Seen[] = [];
  const server = createServer(recorder(seen, listener));
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, port, seen, server };
};

/** A real HTTPS server on 127.0.0.1. */
export const startTlsUpstream = async (options: ServerOptions, listener: RequestListener = answerJson): Promise<TestUpstream> => {
  const seen: Seen[] = [];
  const server = createTlsServer(options, recorder(seen, listener)) as unknown as Server;
  const port = await listen(server);
  return { url: `https://localhost:${port}`, port, seen, server };
};

/** A TCP server that answers each request head with bytes of the test's choice. */
export const startRawUpstream = async (
  onHead: (socket: Socket, head: string) => void,
): Promise<{ readonly url: string; readonly sockets: ReadonlySet<Socket> }> => {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    let text = '';
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = text.slice(0, end);
      text = '';
      onHead(socket, head);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
};
