import type { SocketTransport } from '@doompi-sandbox/contract';
import { connectUnix } from '../connect.ts';
import type { Uplink } from './uplink.ts';

/** Through sockets that the launcher mounted into the container. */
export const socketUplink = (transport: SocketTransport): Uplink => ({
  transport: 'socket',
  place: (channel) => transport[channel],
  connect: async (channel, options) => connectUnix(transport[channel], options),
  [Symbol.asyncDispose]: async () => {},
});
