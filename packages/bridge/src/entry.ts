import { isatty } from 'node:tty';
import { SESSION_DIRECTORY } from '@doompi-sandbox/contract';
import { runBridge } from './bridge.ts';
import { isBridgeError } from './error.ts';
import type { SizedTerminal } from './terminal-size.ts';

/** Where the image has the extension's bundle. */
const EXTENSION = '/opt/doompi/extension.mjs';

const say = (line: string): void => void process.stderr.write(`doompi-sandbox: ${line}\n`);

/** Read after a first SIGWINCH listener exists: a size that arrives between reading and listening would be missed. */
const terminal = (): SizedTerminal | undefined => {
  if (!isatty(1)) return undefined;
  process.on('SIGWINCH', () => {});
  return process.stdout;
};

try {
  process.exitCode = await runBridge({
    command: process.argv.slice(2),
    sessionDirectory: SESSION_DIRECTORY,
    extension: EXTENSION,
    host: {
      environment: process.env,
      workingDirectory: process.cwd(),
      uid: process.getuid?.() ?? -1,
      signals: process,
      onTerminal: isatty(0),
      terminal: terminal(),
      warn: say,
    },
  });
} catch (error) {
  if (!isBridgeError(error)) throw error;
  say(error.message);
  process.exitCode = error.exitStatus;
}
