import { once } from 'node:events';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Time, in milliseconds, for a connection and the proof of both sides. */
export const PROOF_TIMEOUT_MS = 2000;

/** Connections at a time that may be without proof. */
const UNPROVED = 64;

/** A name for the key; there is one key to a listener, so it says nothing. */
const IDENTITY = 'doompi-sandbox';

/**
 * TLS 1.3 with a pre-shared key (RFC 8446 4.2.11): each side proves with fresh random values that it has the key, then everything is
 * encrypted. A listener without certificate has no other way to agree; a client must make sure that the key was what they agreed on.
 */
const TLS = {
  minVersion: 'TLSv1.3',
  maxVersion: 'TLSv1.3',
  // The hash of a pre-shared key without any other is SHA-256.
  ciphers: 'TLS_AES_128_GCM_SHA256',
  // SSL_OP_NO_TICKET: nobody resumes, so nothing to resume with is sent.
  secureOptions: 0x4000,
} as const;

export interface ProvenTarget {
  readonly host: string;
  readonly port: number;
  /** 32 bytes as base64url. */
  readonly key: string;
  readonly signal?: AbortSignal;
}

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/**
 * Connects to a listener that has the key. That somebody accepts the connection, or has a certificate, proves nothing.
 * Rejected with a system or TLS error, ETIMEDOUT after 2 s, or the signal's reason.
 */
export const connectProven = async ({ host, port, key, signal }: ProvenTarget): Promise<TLSSocket> => {
  signal?.throwIfAborted();
  const psk = Buffer.from(key, 'base64url');
  const socket = process.getBuiltinModule('node:tls').connect({
    ...TLS,
    host,
    port,
    // Not left to NODE_TLS_REJECT_UNAUTHORIZED, with which any certificate would do.
    rejectUnauthorized: true,
    pskCallback: () => ({ psk, identity: IDENTITY }),
    // Asked whenever the key was not what both agreed on: the other side answered with a certificate.
    checkServerIdentity: () => failure('ERR_TLS_CERT_ALTNAME_INVALID', 'a certificate is no proof'),
  });
  socket.on('error', () => {});
  socket.setNoDelay(true);
  const late = setTimeout(() => socket.destroy(failure('ETIMEDOUT', 'no proof in time')), PROOF_TIMEOUT_MS);
  const aborted = (): void => void socket.destroy(failure('ABORT_ERR', 'aborted'));
  signal?.addEventListener('abort', aborted, { once: true });
  try {
    await Promise.race([
      once(socket, 'secureConnect'),
      once(socket, 'close').then(() => {
        throw failure('ECONNRESET', 'closed without a proof');
      }),
    ]);
    return socket;
  } catch (error) {
    socket.destroy();
    signal?.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(late);
    signal?.removeEventListener('abort', aborted);
  }
};

export interface ProvingServer {
  readonly server: Server;
  /** Ends every connection, with a proof and without. */
  readonly destroyConnections: () => void;
}

/**
 * A server, not listening yet, that hands on connections of clients that have the key. One that has not proved it within 2 s is ended;
 * when too many are waiting, the one that waits longest is: a client that has the key proves it at once.
 */
export const createProvingServer = (key: string, onProven: (connection: TLSSocket) => void): ProvingServer => {
  const psk = Buffer.from(key, 'base64url');
  const waiting = new Map<string, Socket>();
  const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  const tls = process.getBuiltinModule('node:tls').createServer({
    ...TLS,
    pskCallback: (_socket, identity) => (identity === IDENTITY ? psk : null),
    pskIdentityHint: IDENTITY,
    handshakeTimeout: PROOF_TIMEOUT_MS,
  });
  tls.on('secureConnection', (connection) => {
    waiting.delete(nameOf(connection));
    connection.on('error', () => {});
    onProven(connection);
  });
  tls.on('tlsClientError', (_error, connection) => connection.destroy());
  const sockets = new Set<Socket>();
  const server = createTcpServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    const name = nameOf(socket);
    const longest = waiting.size >= UNPROVED ? waiting.values().next().value : undefined;
    longest?.destroy();
    waiting.set(name, socket);
    socket.on('error', () => {});
    socket.once('close', () => {
      sockets.delete(socket);
      if (waiting.get(name) === socket) waiting.delete(name);
    });
    tls.emit('connection', socket);
  });
  return {
    server,
    destroyConnections: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};
