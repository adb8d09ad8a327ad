import { spawn, type ChildProcess } from 'node:child_process';
import { BridgeError, reasonOf } from './error.ts';
import { BRIDGE_EXIT, signalStatus } from './exit-status.ts';
import { signalForAgent, type SignalInbox } from './signals.ts';

export interface SuperviseOptions {
  /** Command and arguments. */
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signals: SignalInbox;
  /** Whether stdin is a terminal, which sends its keys' signals to the agent itself. */
  readonly onTerminal: boolean;
  /** Resolves when the launcher is gone: the agent must end. */
  readonly lost?: Promise<undefined>;
  /** Milliseconds between SIGTERM and SIGKILL. Default 2000. */
  readonly killAfterMs?: number;
}

const spawnError = (command: string, cause: unknown): BridgeError => {
  const reason = reasonOf(cause);
  const missing = reason === 'ENOENT' || reason === 'ENOTDIR';
  return missing
    ? new BridgeError(
        'BRIDGE_AGENT_NOT_FOUND',
        `agent command not found in the container: ${command}. ` +
          'Check its spelling, its interpreter if it is a script, and that the image has it on PATH.',
        { command },
        { cause },
      )
    : new BridgeError(
        'BRIDGE_AGENT_NOT_EXECUTABLE',
        `agent command cannot be executed in the container: ${command} (${reason})`,
        { command },
        { cause },
      );
};

const start = async (
  [command, ...rest]: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv,
): Promise<ChildProcess> => {
  let child: ChildProcess;
  try {
    child = spawn(command, rest, { stdio: 'inherit', env: environment });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve).once('error', reject);
    });
  } catch (cause) {
    // Some causes, E2BIG for one, are thrown by spawn itself.
    throw spawnError(command, cause);
  }
  // A signal that cannot be delivered is reported as an error event; the exit that follows says all.
  child.on('error', () => {});
  return child;
};

const end = (child: ChildProcess, killAfterMs: number): NodeJS.Timeout => {
  child.kill('SIGTERM');
  // A stopped process acts on SIGTERM only after it continues.
  child.kill('SIGCONT');
  return setTimeout(() => child.kill('SIGKILL'), killAfterMs);
};

/**
 * Runs the agent on this process's own stdio and returns its exit status; 128 + N when it died by signal N, 143 when it was
 * ended because the launcher is gone.
 * @throws BridgeError BRIDGE_AGENT_NOT_FOUND, BRIDGE_AGENT_NOT_EXECUTABLE
 */
export const supervise = async (options: SuperviseOptions): Promise<number> => {
  const { command, environment, signals, onTerminal, lost, killAfterMs = 2000 } = options;
  const child = await start(command, { ...environment });
  signals.handOver((signal) => {
    const forwarded = signalForAgent(signal, onTerminal);
    if (forwarded !== undefined) child.kill(forwarded);
  });
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : signalStatus(signal))));
  });
  const status = await (lost === undefined ? ended : Promise.race([ended, lost]));
  if (status !== undefined) return status;
  const kill = end(child, killAfterMs);
  await ended;
  clearTimeout(kill);
  return BRIDGE_EXIT.lifelineLost;
};
