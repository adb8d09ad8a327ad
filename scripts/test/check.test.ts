import { describe, expect, it } from 'vitest';
import { publishedExports, withDependencies, type Package } from '../check/packages.mjs';
import { runSteps, type Step } from '../check/pool.mjs';
import { summaryLines } from '../check/tests.mjs';
import { EXCUSES } from '../setup/variants/excuses.mjs';

const run = async (
  steps: readonly Step[],
): Promise<{ lines: readonly string[]; failed: string | undefined; stopped: number }> => {
  const lines: string[] = [];
  let stopped = 0;
  const failure = await runSteps(steps, {
    width: 2,
    write: (line) => void lines.push(line.replace(/ \([\d.]+ s\)/, '')),
    onFailure: () => {
      stopped += 1;
    },
  });
  return { lines, failed: failure?.step, stopped };
};

const pass = async (): Promise<void> => {};

const fail = async (): Promise<void> => {
  throw new Error('output');
};

describe('steps', () => {
  it('begin in order, two at a time, each after what it needs', async () => {
    let running = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
    };
    const { lines, failed } = await run([
      { name: 'a', work },
      { name: 'c', needs: ['b'], work },
      { name: 'b', work },
      { name: 'd', work: async () => 'remark' },
    ]);
    expect(failed).toBeUndefined();
    expect(lines.indexOf('✓ b')).toBeLessThan(lines.indexOf('✓ c'));
    expect(lines).toContain('✓ d: remark');
    expect(most).toBe(2);
  });

  it('stop at the first failure and end what runs beside it', async () => {
    const { lines, failed, stopped } = await run([
      { name: 'a', work: fail },
      { name: 'b', work: pass },
      { name: 'c', needs: ['a'], work: pass },
    ]);
    expect(failed).toBe('a');
    expect(stopped).toBe(1);
    expect(lines).not.toContain('✓ c');
  });

  it('never wait for each other', async () => {
    await expect(run([{ name: 'a', needs: ['a'], work: pass }])).rejects.toThrow('wait for each other: a');
  });
});

describe('the last lines', () => {
  const summaries = new Map([
    ['a', { passed: 3, failed: 0, skipped: [{ name: 'a: one', reason: 'no docker' }] }],
    ['b', { passed: 2, failed: 1, skipped: [{ name: 'b: two', reason: '' }] }],
  ]);

  it('count the tests and give the reason of each skip', () => {
    expect(summaryLines(summaries, false)).toEqual({
      refused: false,
      lines: ['skipped: a: one: no docker', 'skipped: b: two: no reason given', 'tests: 5 passed, 1 failed, 2 skipped'],
    });
  });

  it('accept no skip where CI is set', () => {
    expect(summaryLines(summaries, true).refused).toBe(true);
    expect(summaryLines(new Map([['a', { passed: 1, failed: 0, skipped: [] }]]), true).refused).toBe(false);
  });
});

describe('a skip where CI is set', () => {
  it.each(EXCUSES)('is accepted for an engine that cannot be there: $reason', ({ reason }) => {
    const skipped = [{ name: 'a', reason: `${reason} (engine variant podman)` }];
    expect(summaryLines(new Map([['a', { passed: 1, failed: 0, skipped }]]), true).refused).toBe(false);
  });
});

describe('packages', () => {
  const make = (name: string, dependencies: Record<string, string>): Package => ({
    name,
    folder: name,
    directory: `/${name}`,
    manifest: { name, version: '1.0.0', exports: {}, dependencies },
  });

  it('come with those of ours that they need, and no others', () => {
    const packages = [make('a', { b: '1', npm: '1' }), make('b', { c: '1' }), make('c', { a: '1' }), make('d', { a: '1' })];
    expect(withDependencies(packages, 'a').toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('export what publishConfig says', () => {
    const manifest = {
      name: 'a',
      version: '1.0.0',
      exports: { '.': { source: './src/index.ts' } },
      publishConfig: {
        exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './entry': './dist/entry.js' },
      },
    };
    expect(publishedExports(manifest)).toEqual([
      { subpath: '.', file: './dist/index.js', types: './dist/index.d.ts' },
      { subpath: './entry', file: './dist/entry.js', types: undefined },
    ]);
  });
});
