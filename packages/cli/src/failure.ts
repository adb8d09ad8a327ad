import type { CliErrorCode } from './error.ts';
import { errorLine } from './error.ts';
import { printable, printableLine } from './printable.ts';

const message = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));

const codeOf = (failure: unknown): string | undefined => {
  const code: unknown = failure instanceof Error && 'code' in failure ? failure.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : undefined;
};

/** Codes of the packages that this command is made of; a system error has its code in its text. */
const OURS = /^(?:LAUNCH|ENGINE|IMAGE|BROKER|BRIDGE)_/;

const UNEXPECTED: CliErrorCode = 'CLI_UNEXPECTED';

/** What the engine or its builder itself wrote, which an error about it carries: its newest lines. */
const engineWords = (failure: unknown): readonly string[] => {
  const details: unknown = failure instanceof Error && 'details' in failure ? failure.details : undefined;
  if (typeof details !== 'object' || details === null) return [];
  if ('lastLines' in details && Array.isArray(details.lastLines)) return details.lastLines.map(String);
  if (!('stderr' in details) || typeof details.stderr !== 'string') return [];
  return details.stderr.split('\n').slice(-10);
};

/** The failure and its causes, outermost first; a cause that is its own cause ends the chain. */
const chainOf = (failure: unknown): readonly unknown[] => {
  const chain = new Set<unknown>();
  for (let link = failure; link !== undefined && !chain.has(link); link = link instanceof Error ? link.cause : undefined)
    chain.add(link);
  return [...chain];
};

/** A failure as lines for stderr, each with its code: what happened, what the engine said, then each cause. */
export const formatFailure = (failure: unknown): string => {
  const [, ...causes] = chainOf(failure);
  const code = codeOf(failure) ?? UNEXPECTED;
  const lines = message(failure)
    .split('\n')
    .map((line) => errorLine(printable(line), code));
  const words = chainOf(failure)
    .map(engineWords)
    .find((found) => found.some((line) => line.trim() !== ''));
  lines.push(...(words ?? []).map((line) => `doompi-sandbox:   | ${printable(line)}\n`));
  for (const cause of causes) {
    const own = codeOf(cause);
    const suffix = own !== undefined && OURS.test(own) ? ` [${own}]` : '';
    lines.push(`doompi-sandbox:   because: ${printableLine(message(cause))}${suffix}\n`);
  }
  return lines.join('');
};
