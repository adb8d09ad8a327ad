import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { BridgeError, reasonOf } from './error.ts';
import { LOOPBACK } from './listen.ts';

const RETRY_MS = 100;

export interface ReadyOptions {
  /** Port on 127.0.0.1 where the listener is. */
  readonly port: number;
  /** Where the broker is, for the message. */
  readonly place: string;
  /** Milliseconds until the broker counts as unreachable. */
  readonly timeoutMs: number;
  /** Ends the wait; the promise then rejects with its reason. */
  readonly signal: AbortSignal;
}

/** Said only when nothing better is known: a probe that the deadline cuts off proves nothing about the ones before it. */
const UNSERVED = 'it accepts connections and does not serve them';

/** Undefined unless the listener itself answered, for want of a broker; its reason then. */
const refusal = (answer: string): string | undefined =>
  answer.includes('BRIDGE_BROKER_UNREACHABLE') ? (/\(([A-Z0-9_]+)\)/.exec(answer)?.[1] ?? 'refused') : undefined;

/**
 * Connects as an agent would and ends at once. A broker that serves the connection ends it as well, usually without a byte;
 * undefined then, and otherwise why not.
 */
const probe = async (port: number, signal: AbortSignal): Promise<string | undefined> =>
  new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port, host: LOOPBACK, allowHalfOpen: true });
    const stop = (): void => {
      socket.destroy();
      resolve(UNSERVED);
    };
    signal.addEventListener('abort', stop, { once: true });
    socket
      .setEncoding('utf8')
      .on('connect', () => socket.end())
      .on('data', (text: string) => (answer += text))
      .on('end', () => resolve(refusal(answer)))
      .on('error', (error) => resolve(reasonOf(error)))
      .on('close', () => {
        signal.removeEventListener('abort', stop);
        resolve('connection closed');
      });
  });

/**
 * Resolves once a connection through the listener reached the broker, so that the agent's first call cannot be refused.
 * @throws BridgeError BRIDGE_BROKER_UNREACHABLE after `timeoutMs`.
 */
export const awaitBroker = async ({ port, place, timeoutMs, signal }: ReadyOptions): Promise<void> => {
  const deadline = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([deadline, signal]);
  let reason = UNSERVED;
  for (;;) {
    const probed = await probe(port, either);
    signal.throwIfAborted();
    if (probed === undefined) return;
    if (probed !== UNSERVED) reason = probed;
    if (!deadline.aborted) await delay(RETRY_MS, undefined, { signal: either }).catch(() => {});
    signal.throwIfAborted();
    if (deadline.aborted)
      throw new BridgeError(
        'BRIDGE_BROKER_UNREACHABLE',
        `the credential broker on the host cannot be reached through ${place} (${reason}); the agent was not started`,
        { place },
      );
  }
};
