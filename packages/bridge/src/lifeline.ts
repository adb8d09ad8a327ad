import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Uplink } from './uplink/uplink.ts';

/** All in milliseconds. */
export interface LifelineTiming {
  /** How long after its loss the connection may be had again. */
  readonly graceMs: number;
  /** Pause between attempts. */
  readonly retryMs: number;
  /** A connection held for less than this is no sign of life: a proxy in between accepts and closes after the launcher is gone. */
  readonly settleMs: number;
}

export const LIFELINE_TIMING: LifelineTiming = { graceMs: 10_000, retryMs: 250, settleMs: 1000 };

/** A stream to the launcher on which nothing is sent: its end is the end of the launcher. */
export interface Lifeline extends Disposable {
  /** Resolves when the connection is lost for good; never after disposal. */
  readonly lost: Promise<undefined>;
}

/**
 * Holds a connection to the launcher and takes it again after a loss, until `graceMs` have passed without one.
 * @param first - connection to begin with
 */
export const holdLifeline = (
  uplink: Pick<Uplink, 'connect'>,
  first: Duplex,
  timing: LifelineTiming = LIFELINE_TIMING,
): Lifeline => {
  const { graceMs, retryMs, settleMs } = timing;
  const disposed = new AbortController();
  const lost = Promise.withResolvers<undefined>();
  let since = performance.now();

  const hold = async (socket: Duplex): Promise<void> => {
    const start = performance.now();
    if (!socket.destroyed) {
      const end = (): void => void socket.destroy();
      disposed.signal.addEventListener('abort', end, { once: true });
      socket.once('end', end).resume();
      // A reset is a loss like any other: only the close counts.
      await new Promise<void>((resolve) => void socket.once('close', () => resolve()));
      disposed.signal.removeEventListener('abort', end);
    }
    if (performance.now() - start >= settleMs) since = performance.now();
  };

  const attempt = async (): Promise<void> => {
    const remaining = AbortSignal.timeout(Math.max(1, Math.ceil(since + graceMs - performance.now())));
    const signal = AbortSignal.any([disposed.signal, remaining]);
    try {
      await hold(await uplink.connect('lifeline', { patienceMs: graceMs, signal }));
    } catch {
      // Any failure means the same: no connection yet.
    }
  };

  const keep = async (): Promise<void> => {
    await hold(first);
    while (!disposed.signal.aborted) {
      await attempt();
      if (disposed.signal.aborted) return;
      if (performance.now() - since >= graceMs) {
        lost.resolve(undefined);
        return;
      }
      await delay(retryMs, undefined, { signal: disposed.signal }).catch(() => {});
    }
  };

  void keep();
  return { lost: lost.promise, [Symbol.dispose]: () => disposed.abort() };
};
