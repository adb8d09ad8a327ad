import type { SessionFile } from '@doompi-sandbox/contract';
import { agentDirectory } from './agent-directory.ts';
import { BridgeError } from './error.ts';
import { signalStatus } from './exit-status.ts';
import { LIFELINE_TIMING, type LifelineTiming } from './lifeline.ts';
import { openLink, type Link } from './link.ts';
import { registerExtension } from './register-extension.ts';
import { readSession } from './session.ts';
import { openSignalInbox, type SignalSource } from './signals.ts';
import { supervise } from './supervise.ts';
import { awaitTerminalSize, type SizedTerminal } from './terminal-size.ts';
import { probeVolume, probeWorkspace } from './write-probe.ts';

/** The process that the bridge runs in, as far as it looks at it. */
export interface BridgeHost {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly uid: number;
  readonly signals: SignalSource;
  /** Whether stdin is a terminal. */
  readonly onTerminal: boolean;
  /** Undefined when stdout is no terminal. */
  readonly terminal: SizedTerminal | undefined;
  /** Receives warnings, one line each. */
  readonly warn: (line: string) => void;
}

export interface BridgeOptions {
  /** The agent's command line. */
  readonly command: readonly string[];
  /** Directory that the launcher mounted. */
  readonly sessionDirectory: string;
  /** Path of the Pi extension in this container. */
  readonly extension: string;
  readonly host: BridgeHost;
  /** Whether the workspace must be writable. Default true. */
  readonly writableWorkspace?: boolean;
  /** Milliseconds until broker or launcher count as unreachable at the start. Default 8000. */
  readonly readyTimeoutMs?: number;
  readonly lifelineTiming?: LifelineTiming;
  /** Milliseconds to wait for a terminal's size. Default 1000. */
  readonly terminalSizeTimeoutMs?: number;
}

/** What else must be true before the agent starts, side by side with the link to the launcher. */
const prepare = async (session: SessionFile, link: Promise<Link>, options: BridgeOptions): Promise<void> => {
  const { host, extension, writableWorkspace = true } = options;
  await Promise.all([
    link,
    writableWorkspace && probeWorkspace({ directory: host.workingDirectory, uid: host.uid }),
    ...(session.writable ?? []).map(async (directory) => probeVolume({ directory, uid: host.uid })),
    registerExtension({ agentDirectory: agentDirectory(host.environment), extension, warn: host.warn }),
  ]);
};

/**
 * Runs the agent: inside a session after broker, launcher and workspace were reached, elsewhere as it is.
 * Returns the exit status.
 * @throws BridgeError when the agent could not be started.
 */
export const runBridge = async (options: BridgeOptions): Promise<number> => {
  const { command, sessionDirectory, host, lifelineTiming = LIFELINE_TIMING, readyTimeoutMs: timeoutMs = 8000 } = options;
  const [file, ...rest] = command;
  if (file === undefined || file.startsWith('-'))
    throw new BridgeError('BRIDGE_USAGE', 'usage: bridge COMMAND [ARGUMENT...]', {});
  using signals = openSignalInbox(host.signals);
  const session = await readSession(sessionDirectory, host.environment);

  const failed = new AbortController();
  const { signal } = failed;
  const link = session && openLink(session, { lifelineTiming, timeoutMs, signal });
  const prepared = Promise.all([
    session && link && prepare(session, link, options),
    host.terminal && awaitTerminalSize(host.terminal, { timeoutMs: options.terminalSizeTimeoutMs ?? 1000, signal }),
  ]);
  try {
    const early = await Promise.race([prepared.then(() => undefined), signals.ended]);
    if (early !== undefined) return signalStatus(early);
    const lost = (await link)?.lost;
    return await supervise({
      command: [file, ...rest],
      environment: host.environment,
      signals,
      onTerminal: host.onTerminal,
      ...(lost && { lost }),
    });
  } finally {
    failed.abort();
    await link?.then(
      async (opened) => opened[Symbol.asyncDispose](),
      () => {},
    );
  }
};
