import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from './error.ts';
import type { ConnectOptions } from './uplink/uplink.ts';

const BACKLOG_RETRY_MS = 10;

const attempt = async (path: string, signal: AbortSignal | undefined): Promise<Socket> => {
  signal?.throwIfAborted();
  const socket = connect({ path, allowHalfOpen: true });
  // Stays, so that an error between connecting and the caller's own listener is never unhandled.
  socket.on('error', () => {});
  const aborted = (): void => {
    socket.destroy(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
  };
  signal?.addEventListener('abort', aborted, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
    });
    return socket;
  } finally {
    signal?.removeEventListener('abort', aborted);
  }
};

/**
 * A connected stream to a Unix socket, half-open allowed. It may be destroyed again by the time the caller has it.
 * Linux answers EAGAIN, at once, when the listener's backlog is full (connect(2)): a burst waits here instead of failing.
 */
export const connectUnix = async (path: string, { patienceMs, signal }: ConnectOptions): Promise<Socket> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await attempt(path, signal);
    } catch (error) {
      if (reasonOf(error) !== 'EAGAIN' || performance.now() >= deadline) throw error;
      await delay(BACKLOG_RETRY_MS, undefined, signal === undefined ? {} : { signal });
    }
  }
};
