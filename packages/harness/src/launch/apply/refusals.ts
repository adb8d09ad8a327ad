import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { BROKER_CHANNELS, type RefusalEvent } from '@doompi-sandbox/broker';
import type { Notice } from '../../notice.ts';

/**
 * Reports the broker's refusals of one session. While an agent owns the terminal nothing is written over it: refusals are counted by
 * reason and told when the session has ended.
 */
export const reportRefusals = (options: {
  readonly sessionId: string;
  readonly hold: boolean;
  readonly onNotice: (notice: Notice) => void;
}): Disposable => {
  const counts = new Map<string, number>();
  const listener = (message: unknown): void => {
    // The channel's only publisher is the broker, which types its messages.
    const event = message as RefusalEvent;
    if (event.session !== undefined && event.session !== options.sessionId) return;
    const seen = counts.get(event.code) ?? 0;
    counts.set(event.code, seen + 1);
    // A container can provoke any number of refusals; the first of each kind says it all.
    if (!options.hold && seen === 0) options.onNotice({ code: 'refused', reason: event.code, count: 1 });
  };
  subscribe(BROKER_CHANNELS.refusal, listener);
  return {
    [Symbol.dispose]: () => {
      unsubscribe(BROKER_CHANNELS.refusal, listener);
      for (const [reason, count] of counts) if (options.hold || count > 1) options.onNotice({ code: 'refused', reason, count });
    },
  };
};
