import { runCommand } from './command.ts';

/** Runs the command with this process' arguments, environment and streams, and sets its exit code. */
export const main = async (): Promise<void> => {
  process.exitCode = await runCommand({
    argv: process.argv.slice(2),
    environment: process.env,
    cwd: process.cwd(),
    stdout: process.stdout,
    stderr: process.stderr,
  });
};
