import type { CliErrorCode } from './error.ts';

interface Explanation {
  readonly meaning: string;
  readonly advice: string;
}

/** What the command's own codes mean; a code without an explanation is a type error. */
export const CLI_MESSAGES: Readonly<Record<CliErrorCode, Explanation>> = {
  CLI_USAGE: {
    meaning: 'The command line cannot be understood. The exit status is 2.',
    advice:
      'The message names the mistake; `doompi-sandbox --help` lists commands and options. What is meant for the agent goes after `--`.',
  },
  CLI_NODE_UNSUPPORTED: {
    meaning: 'This Node is older than the command needs.',
    advice: 'Install Node 22.19 or newer, and put it before the old one on `PATH`.',
  },
  CLI_OUTPUT_FAILED: {
    meaning: 'Standard output could not be written, for instance because the disk is full.',
    advice: 'Make room, or write somewhere else.',
  },
  CLI_UNEXPECTED: {
    meaning: 'An error that this program does not expect. It is most likely a fault of the program.',
    advice: 'Report it with the whole message and the output of `doompi-sandbox doctor`.',
  },
  CLI_WORKING_DIRECTORY_GONE: {
    meaning: 'The working directory was deleted while your shell stood in it.',
    advice: 'Change into another directory.',
  },
};
