/** Options whose value is a secret, as agents and tools spell them: `--api-key`, `--token`, `--client-secret`. */
const SECRET_OPTION = /^--?[\w-]*(?:key|token|secret|passw(?:or)?d|credential|auth)[\w-]*/i;

/** What stands in place of a secret. */
export const HIDDEN = '***';

/** An agent's arguments for a printed plan: the value of an option that sounds like a secret is hidden. */
export const safeArguments = (args: readonly string[]): string[] => {
  let hideNext = false;
  return args.map((argument) => {
    const hidden = hideNext && !argument.startsWith('-');
    hideNext = false;
    if (hidden) return HIDDEN;
    const option = SECRET_OPTION.exec(argument)?.[0];
    if (option === undefined) return argument;
    if (argument[option.length] === '=') return `${option}=${HIDDEN}`;
    hideNext = argument.length === option.length;
    return argument;
  });
};
