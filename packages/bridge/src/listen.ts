import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { BridgeError, reasonOf } from './error.ts';
import { linger, unreachableResponse } from './refuse.ts';
import type { Uplink } from './uplink/uplink.ts';

export const LOOPBACK = '127.0.0.1';

/** Calls wait this long, in milliseconds, for a full backlog and for a launcher that dials again. */
const PATIENCE_MS = 5000;

export interface ListenOptions {
  /** TCP port on 127.0.0.1; 0 picks a free one. */
  readonly port: number;
  /** Leads to the broker. */
  readonly uplink: Pick<Uplink, 'connect'>;
}

/** A running listener. Disposing ends it and every connection it carries. */
export interface Listener extends AsyncDisposable {
  readonly port: number;
}

type Track = (connection: Duplex) => void;

/** Carries bytes both ways. The end of one direction leaves the other open: a client may send FIN and then read its answer. */
const relay = (client: Socket, broker: Duplex): void => {
  client.on('error', () => broker.destroy());
  broker.on('error', () => {
    // The broker may answer and close before it has read a whole upload: that answer is complete.
    if (broker.readableEnded) linger(client);
    else client.destroy();
  });
  client.pipe(broker);
  broker.pipe(client);
};

const carry = async (client: Socket, uplink: ListenOptions['uplink'], track: Track): Promise<void> => {
  const gone = new AbortController();
  client.once('error', () => gone.abort()).once('close', () => gone.abort());
  let broker: Duplex;
  try {
    broker = await uplink.connect('broker', { patienceMs: PATIENCE_MS, signal: gone.signal });
  } catch (error) {
    if (gone.signal.aborted) return;
    client.write(unreachableResponse(reasonOf(error)));
    linger(client);
    return;
  }
  track(broker);
  if (client.destroyed || broker.destroyed) {
    client.destroy();
    broker.destroy();
    return;
  }
  relay(client, broker);
};

const bind = async (server: Server, port: number): Promise<number> => {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, LOOPBACK, resolve);
    });
  } catch (cause) {
    throw new BridgeError(
      'BRIDGE_LISTEN_FAILED',
      `cannot listen on ${LOOPBACK}:${port} (${reasonOf(cause)}), where the agent expects the credential broker`,
      { port },
      { cause },
    );
  }
  server.removeAllListeners('error');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
};

/**
 * Listens on 127.0.0.1 and carries each connection to the broker, with back-pressure.
 * While the broker cannot be reached a client gets an HTTP 502 at once.
 * @throws BridgeError BRIDGE_LISTEN_FAILED
 */
export const startListener = async ({ port, uplink }: ListenOptions): Promise<Listener> => {
  const connections = new Set<Duplex>();
  const track: Track = (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    track(client);
    client.on('error', () => {});
    void carry(client, uplink, track);
  });
  const bound = await bind(server, port);
  // Running out of file descriptors must cost single connections, never the session.
  server.on('error', () => {});
  return {
    port: bound,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of connections) connection.destroy();
      await closed;
    },
  };
};
