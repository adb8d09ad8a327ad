/** Words of which a name that holds a secret has one. */
const SECRET = String.raw`(?:key|token|secret|passw(?:or)?d|credential|auth)`;

/** Options whose value is a secret, as agents and tools spell them: `--api-key`, `--token`, `--client-secret`. */
const SECRET_OPTION = new RegExp(String.raw`^--?[\w-]*${SECRET}[\w-]*`, 'i');

/** What stands in place of a secret. */
export const HIDDEN = '***';

/** Secrets within a text, and how it is shown without: assignments and headers by their name, credentials of HTTP, user and password of an address. */
const WITHIN: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`([\w-]*${SECRET}[\w-]*=)(?:"[^"]*"|'[^']*'|[^\s"';&]+)`, 'gi'), `$1${HIDDEN}`],
  // A single word with a colon is prose more often than a header.
  [new RegExp(String.raw`((?:\w+-[\w-]*${SECRET}[\w-]*|authorization):\s*)[^"'\r\n]+`, 'gi'), `$1${HIDDEN}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${HIDDEN}`],
  [/\b([a-z][a-z\d+.-]*:\/\/)[^\s/?#@]+@/gi, `$1${HIDDEN}@`],
];

/** Shorter values are no keys, and may be part of anything. */
const SHORTEST_KEY = 8;

const safeText = (text: string, keys: readonly string[]): string => {
  const known = keys.filter((key) => key.length >= SHORTEST_KEY).reduce((shown, key) => shown.replaceAll(key, HIDDEN), text);
  return WITHIN.reduce((shown, [pattern, replacement]) => shown.replaceAll(pattern, replacement), known);
};

/**
 * An agent's arguments for a printed plan: the value of an option that sounds like a secret is hidden, and so is what looks like one
 * within another argument.
 * @param keys - values that are secret wherever they stand
 */
export const safeArguments = (args: readonly string[], keys: readonly string[] = []): string[] => {
  let hideNext = false;
  return args.map((argument) => {
    const hidden = hideNext && !argument.startsWith('-');
    hideNext = false;
    if (hidden) return HIDDEN;
    const option = SECRET_OPTION.exec(argument)?.[0];
    if (option === undefined) return safeText(argument, keys);
    if (argument[option.length] === '=') return `${option}=${HIDDEN}`;
    hideNext = argument.length === option.length;
    return safeText(argument, keys);
  });
};
