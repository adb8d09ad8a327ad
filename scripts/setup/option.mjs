/**
 * Value of an option of the command that runs after set-up, in either spelling; the last one counts. The command itself refuses wrong ones.
 * @param {readonly string[]} args
 * @param {string} name
 * @returns {string | undefined}
 */
export const optionValue = (args, name) => {
  const values = args.flatMap((arg, index) =>
    arg === `--${name}` ? args.slice(index + 1, index + 2) : arg.startsWith(`--${name}=`) ? [arg.slice(name.length + 3)] : [],
  );
  return values.at(-1);
};
