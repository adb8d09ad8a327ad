import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { readonly scripts: Record<string, string> };

/** Every `turbo run …` of a text, up to where its command ends. */
const turboRuns = (text: string): readonly string[] => text.match(/turbo[^a-z]{1,6}run[^&|;)\]]*/g) ?? [];

const FILTERED = /--filter=(?:'\.\/packages\/\*'|\.\/packages\/\*)/;

describe('root scripts', () => {
  // Root is a workspace member: turbo without the filter calls root's own script again, until the machine is dead.
  it.each(Object.entries(manifest.scripts))('%s runs turbo on the packages only', (_name, script) => {
    for (const run of turboRuns(script)) expect(run).toMatch(FILTERED);
  });

  it('and so do the scripts behind them', async () => {
    const files = (await readdir(join(ROOT, 'scripts'), { recursive: true })).filter((name) => name.endsWith('.mjs'));
    const sources = await Promise.all(files.map((name) => readFile(join(ROOT, 'scripts', name), 'utf8')));
    const runs = sources.flatMap(turboRuns);
    expect(runs.length).toBeGreaterThan(0);
    for (const run of runs) expect(run).toMatch(FILTERED);
  });

  it('the search finds what it is for', () => {
    expect(turboRuns('turbo run build && tsup').every((run) => FILTERED.test(run))).toBe(false);
    expect(turboRuns("must('turbo', ['run', 'build'])").every((run) => FILTERED.test(run))).toBe(false);
    expect(turboRuns("turbo run build --filter='./packages/*' && tsup").every((run) => FILTERED.test(run))).toBe(true);
  });
});
