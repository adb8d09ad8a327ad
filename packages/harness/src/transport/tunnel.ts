import { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { serveMultiplex, type AcceptChannel } from '@doompi-sandbox/bridge';
import { TUNNEL_SOCKET, type Channel } from '@doompi-sandbox/contract';
import { attach, execArguments, type Engine } from '@doompi-sandbox/engine';
import { BRIDGE_FILE } from '@doompi-sandbox/image';
import type { Lifeline } from '../sessions/lifeline.ts';

/** All in milliseconds. */
export interface TunnelTiming {
  /** How long a container may take to connect by itself before the launcher dials. */
  readonly lateMs: number;
  /** First pause after a dial that led nowhere; it grows. */
  readonly retryMs: number;
  /** Longest pause. */
  readonly longestRetryMs: number;
  /** Time for the engine's client to end by itself once its input has ended. */
  readonly endMs: number;
}

export const TUNNEL_TIMING: TunnelTiming = { lateMs: 1000, retryMs: 100, longestRetryMs: 1000, endMs: 2000 };

export interface TunnelOptions {
  readonly engine: Engine;
  /** Name or id of the container, which need not be there yet. */
  readonly container: string;
  readonly when: 'at-once' | 'when-late';
  readonly lifeline: Pick<Lifeline, 'connected' | 'firstConnection'>;
  readonly channels: Readonly<Partial<Record<Channel, AcceptChannel>>>;
  readonly timing?: TunnelTiming;
}

/** Keeps a connection through the engine into a container. Disposing ends it. */
export interface Tunnel extends AsyncDisposable {
  /** What the engine's client said last when a dial led nowhere, printable, at most 300 characters. */
  readonly problem: string | undefined;
  /** Lets the connection that there is live, and makes no other. */
  stopDialling(): void;
}

/** The program in the container that carries bytes between its own streams and the socket where the bridge waits. */
export const dialArguments = (container: string): string[] =>
  execArguments({ container, command: ['node', BRIDGE_FILE, '--dial', TUNNEL_SOCKET] });

/** The end of what a program said, without control characters: some of it may come from inside. */
const printableTail = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(-300);

/** Dials until it is stopped, again whenever the connection is lost; not any more once the container came another way. */
export const openTunnel = (options: TunnelOptions): Tunnel => {
  const { engine, container, lifeline, channels, timing = TUNNEL_TIMING } = options;
  const stopped = new AbortController();
  /** Resolves when no connection through here is wanted any more. */
  const needless = Promise.withResolvers<void>();
  let problem: string | undefined;
  /** Whether the container's lifeline came through here. */
  let carrying = false;

  const cameAnotherWay = (): boolean => lifeline.connected && !carrying;
  const first = async (): Promise<void> => {
    await lifeline.firstConnection;
    if (cameAnotherWay()) needless.resolve();
  };
  const connected = first();

  /** One dial, from its start to its end. True when it led to the bridge. */
  const dial = async (): Promise<boolean> => {
    const client = attach(engine, dialArguments(container), { environment: {}, stdio: 'pipe', detached: true });
    const { stdin, stdout, stderr } = client;
    if (stdin === null || stdout === null || stderr === null) return false;
    let said = '';
    stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-2000)));
    const carrier = Duplex.from({ readable: stdout, writable: stdin });
    carrier.on('error', () => {});
    let reached = false;
    const multiplex = serveMultiplex(carrier, {
      ...channels,
      lifeline: (connection, passedOver) => {
        reached = true;
        carrying = true;
        channels.lifeline?.(connection, passedOver);
      },
    });
    const ended = client.exited.catch(() => undefined);
    await Promise.race([ended, multiplex.closed, needless.promise]);
    multiplex[Symbol.dispose]();
    const late = setTimeout(() => client.kill('SIGKILL'), timing.endMs);
    await ended;
    clearTimeout(late);
    if (!reached) problem = printableTail(said) || problem;
    return reached;
  };

  const keep = async (): Promise<void> => {
    const pause = async (milliseconds: number): Promise<unknown> =>
      delay(milliseconds, undefined, { signal: stopped.signal }).catch(() => {});
    if (options.when === 'when-late') await Promise.race([pause(timing.lateMs), connected]);
    for (let retryMs = timing.retryMs; !stopped.signal.aborted && !cameAnotherWay();) {
      const reached = await dial();
      if (stopped.signal.aborted) return;
      retryMs = reached ? timing.retryMs : Math.min(retryMs * 1.5, timing.longestRetryMs);
      await pause(retryMs);
    }
  };

  const kept = keep();
  const stopDialling = (): void => stopped.abort();
  return {
    get problem() {
      return problem;
    },
    stopDialling,
    [Symbol.asyncDispose]: async () => {
      stopDialling();
      needless.resolve();
      await kept;
    },
  };
};
