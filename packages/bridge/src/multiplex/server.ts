import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Channel } from '@doompi-sandbox/contract';
import { channelStream } from './channel-stream.ts';
import { MULTIPLEX_OPTIONS, PASSED_OVER, widen } from './multiplex.ts';

/** Takes connections of one channel. `passedOver` is what a lifeline says about earlier transports: text from inside, not checked. */
export type AcceptChannel = (connection: Duplex, passedOver: string) => void;

export interface MultiplexServer extends Disposable {
  /** Resolves when no connection will come any more. */
  readonly closed: Promise<void>;
}

/**
 * Serves HTTP/2 on a duplex: each CONNECT to a channel that is named here becomes a connection, everything else is refused.
 * Disposing ends the duplex and every connection.
 */
export const serveMultiplex = (carrier: Duplex, channels: Readonly<Partial<Record<Channel, AcceptChannel>>>): MultiplexServer => {
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
  const closed = once(session, 'close').then(() => undefined);
  return {
    closed,
    [Symbol.dispose]: () => {
      session.destroy();
      carrier.destroy();
    },
  };
};
