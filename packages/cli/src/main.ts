import manifest from '../package.json' with { type: 'json' };
import { runCommand } from './command.ts';
import { confirmOn } from './confirm.ts';
import { errorLine, LAUNCH_FAILED, type CliErrorCode } from './error.ts';

const complain = (text: string, code: CliErrorCode): void => void process.stderr.write(errorLine(text, code));

/** Undefined when the directory was deleted while the person's shell stood in it. */
const workingDirectory = (): string | undefined => {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
};

/**
 * Runs the command with this process' arguments, environment and streams, and sets its exit code. A terminal or pipe that goes away
 * takes our messages with it, never the session: without a listener, the next message would end this process.
 * @param version - what `--version` prints; default this package's own
 */
export const main = async (version: string = manifest.version): Promise<void> => {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough, as in `--help | head -1`, is no failure.
    if (error.code === 'EPIPE') return;
    complain(error.message, 'CLI_OUTPUT_FAILED');
    process.exitCode = LAUNCH_FAILED;
  });
  const cwd = workingDirectory();
  if (cwd === undefined) {
    complain('the working directory does not exist any more', 'CLI_WORKING_DIRECTORY_GONE');
    process.exitCode = LAUNCH_FAILED;
    return;
  }
  const { stdout, stderr } = process;
  const interrupt = (): void => void process.kill(process.pid, 'SIGINT');
  const exitCode = await runCommand({
    argv: process.argv.slice(2),
    environment: process.env,
    cwd,
    version,
    stdout,
    stderr,
    confirm: confirmOn({ input: process.stdin, output: stderr, interrupt }),
  });
  process.exitCode ??= exitCode;
};
