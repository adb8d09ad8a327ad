import { connect } from 'node:net';

/** Whether a Unix socket takes a connection within the time, in milliseconds. */
export const isListening = (path: string, timeoutMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ path });
    const settle = (listening: boolean): void => {
      socket.destroy();
      resolve(listening);
    };
    socket.setTimeout(timeoutMs, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
