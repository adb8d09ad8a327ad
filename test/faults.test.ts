import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Proof {
  readonly test: string;
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const read = async (path: string): Promise<string> => readFile(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

const faults = JSON.parse(await read('test/faults.json')) as Record<string, readonly Proof[]>;

/** Faults and threats that this version answers. */
const REQUIRED =
  'B01 B02 B03 B04 B05 B06 B10 B11 B12 B15 B16 B20 B21 B22 B24 B25 B26 B30 B36 B37 B40 B56 S03 S05 S06 S07 S08 S12 S14 S18'.split(
    ' ',
  );

describe('test/faults.json', () => {
  it.each(REQUIRED)('has a proof for %s', (id) => {
    expect(faults[id]?.length ?? 0).toBeGreaterThan(0);
  });

  it.each(Object.entries(faults).flatMap(([id, proofs]) => proofs.map((proof) => [id, proof] as const)))(
    '%s: its test is named after it and its change fits the source',
    async (id, { test, name, file, find, replace }) => {
      expect(await read(test)).toContain(id);
      expect(name.length).toBeGreaterThan(0);
      expect((await read(file)).split(find).length - 1, `${file} holds the text to change`).toBe(1);
      expect(replace).not.toBe(find);
    },
  );
});
