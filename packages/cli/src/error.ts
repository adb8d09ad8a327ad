/** Failures of the command itself, shown like those of the packages below it. */
export type CliErrorCode =
  | 'CLI_USAGE'
  | 'CLI_NODE_UNSUPPORTED'
  | 'CLI_OUTPUT_FAILED'
  | 'CLI_UNEXPECTED'
  | 'CLI_WORKING_DIRECTORY_GONE';

/** A mistake on the command line. */
export const USAGE = 2;

/** The session could not be started; the same number that `docker run`, `env` and `timeout` use for a failure of their own. */
export const LAUNCH_FAILED = 125;

/** One line for stderr that ends with its code. */
export const errorLine = (text: string, code: string): string => `doompi-sandbox: error: ${text} [${code}]\n`;
