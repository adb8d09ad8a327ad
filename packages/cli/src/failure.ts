import { printable } from './printable.ts';

const message = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));

/** The end of a builder's output, which an error about a failed build carries. */
const lastLines = (failure: unknown): readonly unknown[] => {
  const details: unknown = failure instanceof Error && 'details' in failure ? failure.details : undefined;
  const found: unknown =
    typeof details === 'object' && details !== null && 'lastLines' in details ? details.lastLines : undefined;
  return Array.isArray(found) ? found : [];
};

/** A failure as lines for stderr: what happened, then each cause. */
export const formatFailure = (failure: unknown): string => {
  const lines = message(failure)
    .split('\n')
    .map((line) => `doompi-sandbox: error: ${printable(line)}\n`);
  lines.push(...lastLines(failure).map((line) => `doompi-sandbox:   | ${printable(String(line))}\n`));
  const seen = new Set<unknown>([failure]);
  for (
    let cause = failure instanceof Error ? failure.cause : undefined;
    cause !== undefined && !seen.has(cause);
    cause = cause instanceof Error ? cause.cause : undefined
  ) {
    seen.add(cause);
    lines.push(`doompi-sandbox:   because: ${printable(message(cause))}\n`);
  }
  return lines.join('');
};
