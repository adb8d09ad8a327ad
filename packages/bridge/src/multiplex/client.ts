import { once } from 'node:events';
import type { ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Channel } from '@doompi-sandbox/contract';
import { channelStream } from './channel-stream.ts';
import { MULTIPLEX_OPTIONS, PASSED_OVER, widen } from './multiplex.ts';

/** Connections to the launcher over one duplex. */
export interface MultiplexClient extends Disposable {
  /** False when no connection can be had of it any more. */
  readonly usable: boolean;
  /** A connection that the launcher accepted. Rejected when it did not, when the duplex ends, and with the signal's reason. */
  open(channel: Channel, options: { readonly signal?: AbortSignal | undefined }): Promise<Duplex>;
}

const refused = (channel: Channel): Error =>
  Object.assign(new Error(`the launcher does not serve ${channel}`), { code: 'ECONNREFUSED' });

/**
 * Speaks HTTP/2 on a duplex, as the client. Disposing ends the duplex and every connection.
 * @param passedOver - told with each lifeline; see `PASSED_OVER`
 */
export const openMultiplex = (carrier: Duplex, passedOver: string): MultiplexClient => {
  // Loaded only when it is needed: a session over mounted sockets starts without it.
  const { connect } = process.getBuiltinModule('node:http2');
  const session: ClientHttp2Session = connect('http://launcher', { ...MULTIPLEX_OPTIONS, createConnection: () => carrier });
  session.on('error', () => {});
  session.once('connect', () => widen(session));
  const open = async (channel: Channel, { signal }: { readonly signal?: AbortSignal | undefined }): Promise<Duplex> => {
    const headers = { ':method': 'CONNECT', ':authority': channel };
    const note = channel === 'lifeline' && passedOver !== '' ? { [PASSED_OVER]: passedOver } : {};
    const stream = session.request({ ...headers, ...note }, { endStream: false });
    const connection = channelStream(stream);
    const aborted = (): void => void connection.destroy();
    signal?.addEventListener('abort', aborted, { once: true });
    try {
      const accepted = once(stream, 'response').then(([answer]) => (answer as { ':status'?: number })[':status']);
      const ended = once(connection, 'close').then(() => undefined);
      if ((await Promise.race([accepted, ended])) !== 200) throw refused(channel);
      return connection;
    } catch (error) {
      connection.destroy();
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', aborted);
    }
  };
  return {
    get usable() {
      return !session.closed && !session.destroyed;
    },
    open,
    [Symbol.dispose]: () => {
      session.destroy();
      carrier.destroy();
    },
  };
};
