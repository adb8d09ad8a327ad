import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatSessionFile } from '@doompi-sandbox/contract';
import { socketUplink } from '../../src/uplink/socket.ts';
import type { Uplink } from '../../src/uplink/uplink.ts';

export interface Scratch extends AsyncDisposable {
  readonly path: string;
}

export const scratch = async (): Promise<Scratch> => {
  const path = await mkdtemp(join(tmpdir(), 'bridge-'));
  return { path, [Symbol.asyncDispose]: async () => rm(path, { recursive: true, force: true }) };
};

/** A server whose connections can all be cut. */
export interface Endpoint extends AsyncDisposable {
  readonly sockets: ReadonlySet<Socket>;
  readonly server: Server;
  listen(path: string): Promise<void>;
  /** Stops listening and destroys every connection. */
  cut(): Promise<void>;
}

/** Not listening yet. */
const closed = (server: Server): Endpoint => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  const cut = async (): Promise<void> => {
    const ended = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await ended;
  };
  const listen = async (path: string): Promise<void> => {
    server.listen(path);
    await once(server, 'listening');
  };
  return { sockets, server, listen, cut, [Symbol.asyncDispose]: cut };
};

export const endpoint = async (server: Server, path: string): Promise<Endpoint> => {
  const served = closed(server);
  await served.listen(path);
  return served;
};

/** An uplink that leads to a Unix socket, whatever the channel. */
export const toBroker = (path: string): Uplink => socketUplink({ transport: 'socket', broker: path, lifeline: path });

/** A port that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
};

type Served = 'broker' | 'lifeline';

export interface TestSession extends AsyncDisposable {
  /** Session directory. */
  readonly directory: string;
  readonly home: string;
  readonly workspace: string;
  readonly port: number;
  readonly brokerPath: string;
  readonly lifelinePath: string;
  readonly environment: Record<string, string>;
  /** Options for the fixture. */
  readonly options: Record<string, unknown>;
  readonly served: Readonly<Record<Served, Endpoint>>;
  start(...parts: readonly Served[]): Promise<void>;
}

/** A session directory with its file. The broker answers every request with `broker says hello`. */
export const testSession = async (kind: 'brokered' | 'unbrokered', ...started: readonly Served[]): Promise<TestSession> => {
  const root = await scratch();
  const [directory, home, workspace] = (await Promise.all(
    ['s', 'home', 'workspace'].map(async (name) => mkdtemp(join(root.path, `${name}-`))),
  )) as [string, string, string];
  const port = await freePort();
  const brokerPath = join(directory, 'broker.sock');
  const lifelinePath = join(directory, 'lifeline.sock');
  const transports = [{ transport: 'socket', broker: brokerPath, lifeline: lifelinePath }] as const;
  const broker = {
    bridgePort: port,
    providers: [{ id: 'anthropic', upstreamHost: 'api.anthropic.com' }],
  } as const;
  const file = formatSessionFile({ version: 1, sessionId: 's1', transports, ...(kind === 'brokered' && { broker }) });
  await writeFile(join(directory, 'session'), file);
  const served = {
    broker: closed(createHttpServer((_request, response) => void response.end('broker says hello'))),
    lifeline: closed(createServer((socket) => void socket.resume())),
  };
  const start = async (...parts: readonly Served[]): Promise<void> => {
    if (parts.includes('broker')) await served.broker.listen(brokerPath);
    if (parts.includes('lifeline')) await served.lifeline.listen(lifelinePath);
  };
  await start(...started);
  return {
    directory,
    home,
    workspace,
    port,
    brokerPath,
    lifelinePath,
    environment: { PATH: process.env['PATH'] ?? '', HOME: home, DOOMPI_SANDBOX: '1' },
    options: { sessionDirectory: directory, extension: '/opt/doompi/extension.mjs' },
    served,
    start,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(Object.values(served).map(async (part) => part.cut()));
      await root[Symbol.asyncDispose]();
    },
  };
};
