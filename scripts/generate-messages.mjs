// Writes docs/messages.md from the tables of explanations, whose types are the unions of codes.
//
//   node scripts/generate-messages.mjs            write the file
//   node scripts/generate-messages.mjs --check    fail when the file is not what would be written
//
// Node 24 runs the tables as they are: they import types only.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CLI_MESSAGES } from '../packages/cli/src/messages.ts';
import { MESSAGE_GROUPS } from '../packages/harness/src/messages/catalogue.ts';

const FILE = fileURLToPath(new URL('../docs/messages.md', import.meta.url));

const COMMAND = { title: 'Command', about: 'The command line, or the process that the command runs in.', messages: CLI_MESSAGES };

/** @param {string} code @param {{ readonly meaning: string, readonly advice: string }} explanation */
const entry = (code, { meaning, advice }) => `### \`${code}\`\n\n${meaning}\n\n**What to do:** ${advice}\n`;

/** @param {{ readonly title: string, readonly about: string, readonly messages: Readonly<Record<string, { readonly meaning: string, readonly advice: string }>> }} group */
const section = ({ title, about, messages }) =>
  [
    `## ${title}\n\n${about}\n`,
    ...Object.entries(messages)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, explanation]) => entry(code, explanation)),
  ].join('\n');

/** The text of docs/messages.md. */
export const generateMessages = () =>
  [
    `# Messages

Every error that the command prints ends with its code, such as \`[ENGINE_UNREACHABLE]\`; notices and findings have theirs in \`--json\`. Codes are part of the
API: match them, not the texts. Codes in capitals are errors; the others are notices, refusals and findings.

This page is generated (\`node scripts/generate-messages.mjs\`) from tables that the compiler holds to the codes.
`,
    ...[COMMAND, ...MESSAGE_GROUPS].map(section),
  ].join('\n');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = generateMessages();
  if (!process.argv.includes('--check')) await writeFile(FILE, text);
  else if ((await readFile(FILE, 'utf8').catch(() => '')) !== text) {
    console.error('docs/messages.md is not what the tables say: node scripts/generate-messages.mjs');
    process.exitCode = 1;
  }
}
