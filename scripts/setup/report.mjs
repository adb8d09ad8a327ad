import { performance } from 'node:perf_hooks';

/** @typedef {{ note(text: string): void, skip(text: string): void, step<T>(text: string, work: () => Promise<T>, done?: (result: T) => string): Promise<T>, pause(): () => void }} Report */

const seconds = (/** @type {number} */ from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/**
 * Prints one line when a step begins and one with its elapsed time when it ends. Steps run side by side, so every line says which step it is of.
 * @param {(line: string) => void} write
 * @returns {Report}
 */
export const createReport = (write) => {
  /** @type {string[] | undefined} */
  let held;
  const line = (/** @type {string} */ text) => {
    if (held === undefined) write(text);
    else held.push(text);
  };
  return {
    note: (text) => line(`  ${text}`),
    skip: (text) => line(`✓ ${text}, nothing to do`),
    step: async (text, work, done = () => text) => {
      const started = performance.now();
      line(`→ ${text}`);
      const result = await work();
      line(`✓ ${done(result)} (${seconds(started)})`);
      return result;
    },
    // While a question is open nothing else is printed below it.
    pause: () => {
      held ??= [];
      return () => {
        const lines = held ?? [];
        held = undefined;
        for (const text of lines) write(text);
      };
    },
  };
};
