import type { EventEmitter } from 'node:events';

/** Resolves with the next `close`, whatever error came before it; `once` of `node:events` would be rejected with that. */
export const closing = async (emitter: EventEmitter): Promise<void> =>
  new Promise((resolve) => void emitter.once('close', () => resolve()));
