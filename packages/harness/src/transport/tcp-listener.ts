import { isIP, type AddressInfo } from 'node:net';
import { createProvingServer, serveMultiplex, type AcceptChannel, type MultiplexServer } from '@doompi-sandbox/bridge';
import type { Channel } from '@doompi-sandbox/contract';
import { LaunchError } from '../error.ts';

export interface TcpListenerOptions {
  /** IP address of one interface of this host. */
  readonly address: string;
  /** Pre-shared key: 32 bytes as base64url. */
  readonly key: string;
  readonly channels: Readonly<Partial<Record<Channel, AcceptChannel>>>;
}

/** Disposing ends it and every connection. */
export interface TcpListener extends AsyncDisposable {
  readonly port: number;
}

const UNSPECIFIED = new Set(['0.0.0.0', '::', '::0']);

/**
 * Listens on a free port and serves those that have the key; everybody else on this host and in its containers is sent away without an answer.
 * @throws LaunchError LAUNCH_TRANSPORT_UNSUPPORTED when the address is none of this host's.
 */
export const openTcpListener = async ({ address, key, channels }: TcpListenerOptions): Promise<TcpListener> => {
  if (isIP(address) === 0 || UNSPECIFIED.has(address))
    throw new TypeError(`address: expected the IP address of one interface, got ${JSON.stringify(address)}`);
  const served = new Set<MultiplexServer>();
  const { server, destroyConnections } = createProvingServer(key, (connection) => {
    const multiplex = serveMultiplex(connection, channels);
    served.add(multiplex);
    void multiplex.closed.then(() => served.delete(multiplex));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const message = `cannot listen on ${address} (${cause.code}), where the session would reach this launcher by tcp: is it the gateway of a network on this host? Use --transport tunnel instead`;
      reject(new LaunchError('LAUNCH_TRANSPORT_UNSUPPORTED', message, { transport: 'tcp', engine: undefined }, { cause }));
    });
    server.listen({ host: address, port: 0 }, resolve);
  });
  server.removeAllListeners('error').on('error', () => {});
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      for (const multiplex of served) multiplex[Symbol.dispose]();
      destroyConnections();
      await closed;
    },
  };
};
