import { printableLine } from './printable.ts';

/** A row: its heading, and one line of text for each of its values. A row without values is left out. */
export type Row = readonly [heading: string, values: readonly string[]];

/** Rows as aligned lines, headings once, control characters replaced. */
export const formatRows = (rows: readonly Row[], indent = ''): string => {
  const shown = rows.filter(([, values]) => values.length > 0);
  const width = Math.max(0, ...shown.map(([heading]) => heading.length));
  return shown
    .flatMap(([heading, values]) =>
      values.map((value, index) => `${indent}${(index === 0 ? heading : '').padEnd(width)}  ${printableLine(value)}\n`),
    )
    .join('');
};
