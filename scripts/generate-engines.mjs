// Writes the table of differences in docs/engines.md from the one that the code branches on.
//
//   node scripts/generate-engines.mjs            write the file
//   node scripts/generate-engines.mjs --check    fail when the file is not what would be written
//
// Node 24 runs the table as it is: it imports types only.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ENGINE_DIFFERENCES } from '../packages/engine/src/differences/engine-differences.ts';

const FILE = fileURLToPath(new URL('../docs/engines.md', import.meta.url));

const cell = (/** @type {string} */ text) => text.replaceAll('|', String.raw`\|`);

/** @param {import('../packages/engine/src/differences/engine-differences.ts').EngineDifference} difference */
const row = ({ trait, variants, since, value, evidence }) => [
  `\`${trait}\``,
  variants.join(', ') + (since === undefined ? '' : ` from ${since.join('.')}`),
  value === '' ? '(none)' : `\`${value}\``,
  cell(evidence.shown),
  `${evidence.kind}, ${evidence.version}, ${evidence.date}`,
];

/** Columns as wide as their widest cell, as the formatter wants them. @param {readonly (readonly string[])[]} rows */
const table = (rows) => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((text, at) => text.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join('\n');
};

const text = (await readFile(FILE, 'utf8')).replace(
  /(<!-- differences -->\n)[^]*(<!-- \/differences -->)/,
  (_, open, close) =>
    `${open}\n${table([['trait', 'engines', 'value', 'what showed it', 'evidence'], ...ENGINE_DIFFERENCES.map(row)])}\n\n${close}`,
);

if (!process.argv.includes('--check')) await writeFile(FILE, text);
else if ((await readFile(FILE, 'utf8')) !== text) {
  console.error('docs/engines.md is not what the table says: node scripts/generate-engines.mjs');
  process.exitCode = 1;
}
