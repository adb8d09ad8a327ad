import type { Socket } from 'node:net';

/** A client that does not close gets this long to read an answer, in milliseconds. */
const LINGER_MS = 2000;

/**
 * Answer to a client when the broker cannot be reached.
 * Pi decides by the error's words whether to try again; "connection refused" is one it tries again.
 */
export const unreachableResponse = (reason: string): string => {
  const message = `connection refused: the credential broker on the host cannot be reached (${reason})`;
  const body = JSON.stringify({ error: { type: 'doompi_broker', code: 'BRIDGE_BROKER_UNREACHABLE', message } });
  return (
    'HTTP/1.1 502 Bad Gateway\r\n' +
    'content-type: application/json\r\n' +
    `content-length: ${Buffer.byteLength(body)}\r\n` +
    'connection: close\r\n\r\n' +
    body
  );
};

/**
 * Lets a client read what was written to it before its connection ends.
 * A connection closed with unread input is reset, and a reset can overtake the answer.
 */
export const linger = (client: Socket): void => {
  client.resume();
  client.end();
  const timer = setTimeout(() => client.destroy(), LINGER_MS);
  client.once('close', () => clearTimeout(timer));
};
