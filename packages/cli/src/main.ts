import manifest from '../package.json' with { type: 'json' };
import { runCommand } from './command.ts';

/**
 * Runs the command with this process' arguments, environment and streams, and sets its exit code.
 * @param version - what `--version` prints; default this package's own
 */
export const main = async (version: string = manifest.version): Promise<void> => {
  process.exitCode = await runCommand({
    argv: process.argv.slice(2),
    environment: process.env,
    cwd: process.cwd(),
    version,
    stdout: process.stdout,
    stderr: process.stderr,
  });
};
