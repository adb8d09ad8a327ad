import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Channel } from '@doompi-sandbox/contract';
import { closing } from '../closing.ts';
import { channelStream } from './channel-stream.ts';
import { MULTIPLEX_OPTIONS, PASSED_OVER, widen } from './multiplex.ts';

/** Takes connections of one channel. `passedOver` is what a lifeline says about earlier transports: text from inside, not checked. */
export type AcceptChannel = (connection: Duplex, passedOver: string) => void;

export interface MultiplexServer extends Disposable {
  /** Resolves when no connection will come any more. */
  readonly closed: Promise<void>;
}

/**
 * Serves HTTP/2 on a socket: each CONNECT to a channel that is named here becomes a connection, everything else is refused.
 * Disposing ends the socket and every connection.
 * @param carrier - connected, of the system's own: on another duplex Node's HTTP/2 throws when it ends during a write
 */
export const serveMultiplex = (carrier: Socket, channels: Readonly<Partial<Record<Channel, AcceptChannel>>>): MultiplexServer => {
  const session = process.getBuiltinModule('node:http2').performServerHandshake(carrier, MULTIPLEX_OPTIONS);
  session.on('error', () => {});
  const accept = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void => {
    stream.on('error', () => {});
    const { ':method': method, ':authority': authority } = headers;
    const channel =
      method === 'CONNECT' && (authority === 'broker' || authority === 'lifeline') ? channels[authority] : undefined;
    if (channel === undefined) {
      stream.respond({ ':status': 403 }, { endStream: true });
      stream.resume();
      return;
    }
    const connection = channelStream(stream);
    stream.respond({ ':status': 200 });
    const passedOver = headers[PASSED_OVER];
    channel(connection, typeof passedOver === 'string' ? passedOver : '');
  };
  session.on('stream', accept);
  widen(session);
  const closed = closing(session);
  return {
    closed,
    [Symbol.dispose]: () => {
      session.destroy();
      carrier.destroy();
    },
  };
};
