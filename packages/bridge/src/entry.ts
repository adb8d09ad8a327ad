import { Socket } from 'node:net';
import { isatty } from 'node:tty';
import { SESSION_DIRECTORY } from '@doompi-sandbox/contract';
import { runBridge } from './bridge.ts';
import { dial, dialledPath } from './dial.ts';
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

const run = async (command: readonly string[]): Promise<number> =>
  runBridge({
    command,
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

/** Pipes of this process that never block it: `process.stdout` would, while the other end is slow. */
const pipes = (): { readonly input: Socket; readonly output: Socket } => ({
  input: new Socket({ fd: 0, readable: true, writable: false }),
  output: new Socket({ fd: 1, readable: false, writable: true }),
});

try {
  const command = process.argv.slice(2);
  const path = dialledPath(command);
  if (path === undefined) process.exitCode = await run(command);
  else await dial({ path, ...pipes() });
} catch (error) {
  if (!isBridgeError(error)) throw error;
  say(`${error.message} [${error.code}]`);
  process.exitCode = error.exitStatus;
}
