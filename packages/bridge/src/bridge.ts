import { setTimeout as delay } from 'node:timers/promises';
import type { SessionFile } from '@doompi-sandbox/contract';
import { agentDirectory } from './agent-directory.ts';
import { BridgeError } from './error.ts';
import { signalStatus } from './exit-status.ts';
import { holdLifeline, LIFELINE_TIMING, type Lifeline, type LifelineTiming } from './lifeline.ts';
import { startListener, type Listener } from './listen.ts';
import { awaitBroker } from './ready.ts';
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
  /** Milliseconds until broker or lifeline count as unreachable at the start. Default 8000. */
  readonly readyTimeoutMs?: number;
  readonly lifelineTiming?: LifelineTiming;
  /** Milliseconds to wait for a terminal's size. Default 1000. */
  readonly terminalSizeTimeoutMs?: number;
}

const inTime = async (held: Promise<void>, path: string, timeoutMs: number, signal: AbortSignal): Promise<void> => {
  const settled = new AbortController();
  const late = async (): Promise<never> => {
    await delay(timeoutMs, undefined, { signal: AbortSignal.any([signal, settled.signal]) });
    const message = `the launcher cannot be reached through ${path}; the agent was not started`;
    throw new BridgeError('BRIDGE_LIFELINE_UNREACHABLE', message, { path });
  };
  try {
    await Promise.race([held, late()]);
  } finally {
    settled.abort();
  }
};

/** What a session holds open while the agent runs. */
interface Opened {
  readonly listener: Listener | undefined;
  readonly lifeline: Lifeline;
}

/** Everything that must be true before the agent starts, side by side. */
const prepare = async (session: SessionFile, opened: Opened, options: BridgeOptions, signal: AbortSignal): Promise<void> => {
  const { host, extension, writableWorkspace = true, readyTimeoutMs = 8000 } = options;
  const { listener, lifeline } = opened;
  await Promise.all([
    inTime(lifeline.held, session.lifeline.path, readyTimeoutMs, signal),
    listener !== undefined &&
      session.broker !== undefined &&
      awaitBroker({ port: listener.port, brokerPath: session.broker.endpoint.path, timeoutMs: readyTimeoutMs, signal }),
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
  const { command, sessionDirectory, host, lifelineTiming = LIFELINE_TIMING, terminalSizeTimeoutMs = 1000 } = options;
  const [file, ...rest] = command;
  if (file === undefined) throw new BridgeError('BRIDGE_USAGE', 'usage: bridge COMMAND [ARGUMENT...]', {});
  using signals = openSignalInbox(host.signals);
  const session = await readSession(sessionDirectory, host.environment);

  using lifeline = session && holdLifeline(session.lifeline.path, lifelineTiming);
  await using listener =
    session?.broker && (await startListener({ port: session.broker.bridgePort, brokerPath: session.broker.endpoint.path }));

  const failed = new AbortController();
  const prepared = Promise.all([
    session && lifeline && prepare(session, { listener, lifeline }, options, failed.signal),
    host.terminal && awaitTerminalSize(host.terminal, { timeoutMs: terminalSizeTimeoutMs, signal: failed.signal }),
  ]);
  try {
    const early = await Promise.race([prepared.then(() => undefined), signals.ended]);
    if (early !== undefined) return signalStatus(early);
    return await supervise({
      command: [file, ...rest],
      environment: host.environment,
      signals,
      onTerminal: host.onTerminal,
      ...(lifeline && { lost: lifeline.lost }),
    });
  } finally {
    failed.abort();
  }
};
