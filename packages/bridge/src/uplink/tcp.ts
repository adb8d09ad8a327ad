import type { TcpTransport } from '@doompi-sandbox/contract';
import { openMultiplex, type MultiplexClient } from '../multiplex/client.ts';
import { connectProven } from '../proof.ts';
import type { Uplink } from './uplink.ts';

/** Through one TCP connection to the launcher, made when it is first needed and again after a loss. */
export const tcpUplink = ({ host, port, key }: TcpTransport, passedOver: string): Uplink => {
  const disposed = new AbortController();
  let multiplex: MultiplexClient | undefined;
  let connecting: Promise<MultiplexClient> | undefined;

  const establish = async (): Promise<MultiplexClient> => {
    try {
      multiplex = openMultiplex(await connectProven({ host, port, key, signal: disposed.signal }), passedOver);
      return multiplex;
    } finally {
      connecting = undefined;
    }
  };

  return {
    transport: 'tcp',
    place: () => `${host}:${port}`,
    connect: async (channel, { signal }) => {
      // Shared by all who wait, so no caller's signal ends it; it has a deadline of its own.
      const current = multiplex?.usable === true ? multiplex : await (connecting ??= establish());
      signal?.throwIfAborted();
      return current.open(channel, { signal });
    },
    [Symbol.asyncDispose]: async () => {
      disposed.abort();
      multiplex?.[Symbol.dispose]();
    },
  };
};
