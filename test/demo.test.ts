import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runProgram } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { sessionEnvironment } from './helpers/sandbox.ts';

const path = (relative: string): string => fileURLToPath(new URL(`../${relative}`, import.meta.url));

/** Runs the demo without set-up and answers its exit code and the JSON object on its last line. */
const demo = async (...args: readonly string[]): Promise<{ exitCode: number | undefined; outcome: Record<string, unknown> }> => {
  expect(existsSync(path('dist/bin.js')), 'the demo runs the built command: pnpm build').toBe(true);
  const program = ['--conditions=@doompi-sandbox/source', path('demo/main.ts'), '--json', ...args];
  const result = await runProgram(process.execPath, program, { env: sessionEnvironment(), cwd: path('.'), timeoutMs: 120_000 });
  const outcome = JSON.parse(result.stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
  return { exitCode: result.exitCode, outcome };
};

it('the demo sees the real key upstream and nowhere else', async () => {
  const { exitCode, outcome } = await demo();
  expect({ exitCode, ...outcome }).toMatchObject({
    exitCode: 0,
    ok: true,
    keySeenByUpstream: true,
    keyInContainer: false,
    leftovers: [],
    searchWorks: true,
  });
  expect(outcome['engine']).toMatch(/^docker \d/);
  expect(outcome['answer']).toContain('never entered');
  expect(outcome['ttftMs']).toBeGreaterThan(0);
});

it('the demo finds a leaked key', async () => {
  expect(await demo('--sabotage', 'leak')).toMatchObject({
    exitCode: 1,
    outcome: { ok: false, keyInContainer: true, leftovers: [] },
  });
});

it('the demo finds what is left behind', async () => {
  const { exitCode, outcome } = await demo('--sabotage', 'leftover');
  expect({ exitCode, ...outcome }).toMatchObject({ exitCode: 1, ok: false, keyInContainer: false });
  expect(outcome['leftovers']).toEqual([expect.stringMatching(/^container /)]);
});
