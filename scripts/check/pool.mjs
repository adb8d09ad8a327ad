import { performance } from 'node:perf_hooks';

/**
 * One step of the gate. `work` throws to fail; the message is the step's output.
 * @typedef {{ name: string, needs?: readonly string[], work: () => Promise<string | void> }} Step
 */

/** @typedef {{ step: string, error: unknown }} Failure */

/**
 * Runs steps in order, `width` at a time, each after those it needs. After the first failure none begins any more.
 * @param {readonly Step[]} steps
 * @param {{ width: number, write: (line: string) => void, onFailure: () => void }} setting `onFailure` ends what still runs
 * @returns {Promise<Failure | undefined>} the first failure
 */
export const runSteps = async (steps, { width, write, onFailure }) => {
  const done = new Set();
  const waiting = [...steps];
  /** @type {Failure[]} */
  const failures = [];
  /** @type {Map<string, Promise<void>>} */
  const running = new Map();
  const begin = async (/** @type {Step} */ { name, work }) => {
    const started = performance.now();
    try {
      const remark = await work();
      done.add(name);
      write(
        `✓ ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)${typeof remark === 'string' ? `: ${remark}` : ''}`,
      );
    } catch (error) {
      if (failures.push({ step: name, error }) === 1) {
        write(`✗ ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
        onFailure();
      }
    } finally {
      running.delete(name);
    }
  };
  while (failures.length === 0 && waiting.length + running.size > 0) {
    const next = waiting.findIndex(({ needs = [] }) => needs.every((need) => done.has(need)));
    const [step] = next >= 0 && running.size < width ? waiting.splice(next, 1) : [];
    if (step !== undefined) running.set(step.name, begin(step));
    else if (running.size > 0) await Promise.race(running.values());
    else throw new Error(`steps wait for each other: ${waiting.map(({ name }) => name).join(', ')}`);
  }
  await Promise.all(running.values());
  return failures[0];
};
