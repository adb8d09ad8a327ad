import { EventEmitter, once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { TunnelTransport } from '@doompi-sandbox/contract';
import { openMultiplex, type MultiplexClient } from '../multiplex/client.ts';
import type { Uplink } from './uplink.ts';

const notDialled = (): Error => Object.assign(new Error('the launcher did not dial'), { code: 'NOT_DIALLED' });

/**
 * Through a connection that the launcher makes to a Unix socket in the container, by a program that it runs there. The last one that
 * came is used: the launcher dials again only after it lost the one before, which may not be known here yet.
 */
export const tunnelUplink = async ({ path }: TunnelTransport, passedOver: string): Promise<Uplink> => {
  const dialled = new EventEmitter().setMaxListeners(0);
  let multiplex: MultiplexClient | undefined;
  const server = createServer({ allowHalfOpen: false }, (socket) => {
    multiplex?.[Symbol.dispose]();
    multiplex = openMultiplex(socket, passedOver);
    dialled.emit('dialled');
  });
  server.listen(path);
  await once(server, 'listening');
  server.on('error', () => {});
  await chmod(path, 0o600);

  const current = async (patienceMs: number, signal: AbortSignal | undefined): Promise<MultiplexClient> => {
    if (multiplex?.usable !== true) {
      const late = AbortSignal.timeout(patienceMs);
      await once(dialled, 'dialled', { signal: signal === undefined ? late : AbortSignal.any([signal, late]) }).catch(() => {
        signal?.throwIfAborted();
        throw notDialled();
      });
    }
    if (multiplex === undefined) throw notDialled();
    return multiplex;
  };

  return {
    transport: 'tunnel',
    place: () => path,
    connect: async (channel, { patienceMs, signal }) => (await current(patienceMs, signal)).open(channel, { signal }),
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      multiplex?.[Symbol.dispose]();
      await closed;
    },
  };
};
