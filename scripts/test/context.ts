import { createRunner } from '../setup/run.mjs';
import type { Context } from '../setup/setup.mjs';

export interface TestContext extends Context {
  /** What would have been printed. */
  readonly lines: readonly string[];
  /** What would have been asked. */
  readonly asked: readonly string[];
}

/** A context whose programs come from `path` alone, and that agrees to everything. */
export const testContext = (path: string, env: Readonly<Record<string, string>> = {}, root = '/nonexistent'): TestContext => {
  const lines: string[] = [];
  const asked: string[] = [];
  const { signal } = new AbortController();
  const environment = { PATH: path, ...env };
  return {
    root,
    env: environment,
    lines,
    asked,
    signal,
    run: createRunner({ env: environment, signal }),
    consent: async (intention) => {
      asked.push(intention);
    },
    report: {
      note: (text) => void lines.push(text),
      skip: (text) => void lines.push(`skip ${text}`),
      step: async (text, work, done = () => text) => {
        const result = await work();
        lines.push(done(result));
        return result;
      },
      pause: () => () => {},
    },
  };
};
