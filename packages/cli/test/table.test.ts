import { expect, it } from 'vitest';
import { formatRows } from '../src/table.ts';

it('S09: aligns, tells a heading once, leaves out what has no value, and keeps a value on its line', () => {
  expect(
    formatRows(
      [
        ['a', ['1', '2']],
        ['none', []],
        ['longer', ['x\ny\u001B[2J']],
      ],
      '  ',
    ),
  ).toBe('  a       1\n          2\n  longer  x\u{fffd}y\u{fffd}[2J\n');
});
