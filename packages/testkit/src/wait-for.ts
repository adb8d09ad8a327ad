import type { EventEmitter } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

export interface WaitOptions {
  /** Milliseconds, default 10000. */
  readonly timeoutMs?: number;
  /** What is awaited, for the error: "the container to be gone". */
  readonly what?: string;
}

/**
 * Asks again and again (every 20 ms) until the answer is neither undefined, null nor false, and gives that answer.
 * For outside facts that send no event, such as "the container is gone"; where there is an event, use `waitForEvent`.
 * @throws Error after `timeoutMs`, with the last error of the question as its cause.
 */
export const waitFor = async <T>(
  question: () => T | Promise<T>,
  options: WaitOptions = {},
): Promise<Exclude<T, undefined | null | false>> => {
  const { timeoutMs = 10_000, what = 'the condition' } = options;
  const end = performance.now() + timeoutMs;
  let cause: unknown;
  do {
    try {
      const answer = await question();
      if (answer !== undefined && answer !== null && answer !== false) return answer as Exclude<T, undefined | null | false>;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await pause(20);
  } while (performance.now() < end);
  throw new Error(`Waited ${timeoutMs} ms for ${what} in vain`, { cause });
};

/**
 * The promise's value.
 * @throws Error when it is not settled after `timeoutMs`, so that a hang names itself.
 */
export const within = async <T>(promise: Promise<T>, options: WaitOptions = {}): Promise<T> => {
  const { timeoutMs = 10_000, what = 'the promise' } = options;
  const timer = new AbortController();
  const late = pause(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`Waited ${timeoutMs} ms for ${what} in vain`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
    late.catch(() => {});
  }
};

/**
 * The arguments of the next event of that name for which `when` holds.
 * @throws Error after `timeoutMs`; the emitter's `error` event, unless that is the one awaited.
 */
export const waitForEvent = async (
  emitter: EventEmitter,
  event: string,
  options: WaitOptions & { readonly when?: (...args: readonly unknown[]) => boolean } = {},
): Promise<unknown[]> => {
  const { timeoutMs, what = `event ${event}`, when = () => true } = options;
  let stop = (): void => {};
  // One listener for the whole wait: events that come in the same tick are all seen.
  const seen = new Promise<unknown[]>((resolve, reject) => {
    const onEvent = (...args: unknown[]): void => {
      if (when(...args)) resolve(args);
    };
    emitter.on(event, onEvent);
    if (event !== 'error') emitter.on('error', reject);
    stop = () => {
      emitter.off(event, onEvent);
      emitter.off('error', reject);
    };
  });
  try {
    return await within(seen, { what, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  } finally {
    stop();
  }
};
