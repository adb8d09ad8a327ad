import { isRecord, port, text } from './session-fields.ts';

/** Two Unix sockets of the launcher's, mounted into the container. */
export interface SocketTransport {
  readonly transport: 'socket';
  /** Absolute path inside the container. Nothing listens there in a session without a broker. */
  readonly broker: string;
  /** Absolute path inside the container. */
  readonly lifeline: string;
}

/** A TLS 1.3 connection to the launcher, for both of which the key is the only proof of who they are; HTTP/2 inside. */
export interface TcpTransport {
  readonly transport: 'tcp';
  /** Name or address of the launcher's host as the container knows it. */
  readonly host: string;
  readonly port: number;
  /** Pre-shared key of this session: 32 random bytes as base64url. A secret, dead with the session. */
  readonly key: string;
}

/** A Unix socket inside the container that the launcher dials through the engine; HTTP/2 inside. */
export interface TunnelTransport {
  readonly transport: 'tunnel';
  /** Absolute path inside the container, where the bridge listens. */
  readonly path: string;
}

/** One way from the bridge to its launcher. */
export type Transport = SocketTransport | TcpTransport | TunnelTransport;

export type TransportName = Transport['transport'];

/** What a connection to the launcher is for. */
export type Channel = 'broker' | 'lifeline';

/** 32 bytes as base64url. */
const KEY = /^[A-Za-z0-9_-]{43}$/;

const transport = (value: unknown, index: number): Transport => {
  const at = `transports[${index}]`;
  if (!isRecord(value)) throw new TypeError(`Session file: ${at} must be an object`);
  switch (value['transport']) {
    case 'socket':
      return {
        transport: 'socket',
        broker: text(value['broker'], `${at}.broker`),
        lifeline: text(value['lifeline'], `${at}.lifeline`),
      };
    case 'tcp': {
      const key = text(value['key'], `${at}.key`);
      if (!KEY.test(key)) throw new TypeError(`Session file: ${at}.key must be 32 bytes as base64url`);
      return { transport: 'tcp', host: text(value['host'], `${at}.host`), port: port(value['port'], `${at}.port`), key };
    }
    case 'tunnel':
      return { transport: 'tunnel', path: text(value['path'], `${at}.path`) };
    default:
      throw new TypeError(`Session file: ${at}.transport must be socket, tcp or tunnel`);
  }
};

/** @throws TypeError naming the field. */
export const parseTransports = (value: unknown): readonly [Transport, ...Transport[]] => {
  const [first, ...rest] = Array.isArray(value) ? value.map(transport) : [];
  if (first === undefined) throw new TypeError('Session file: transports must be a non-empty list');
  return [first, ...rest];
};
