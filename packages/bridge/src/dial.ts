import { once } from 'node:events';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Socket } from 'node:net';
import { connectUnix } from './connect.ts';
import { BridgeError, reasonOf } from './error.ts';

const RETRY_MS = 25;

/** After one side has ended the other gets this long, in milliseconds. */
const LINGER_MS = 1000;

export interface DialOptions {
  /** Unix socket where the bridge waits for its launcher. */
  readonly path: string;
  readonly input: Readable;
  readonly output: Writable;
  /** Milliseconds to wait for the socket: the bridge may not have come to it yet. Default 15000. */
  readonly timeoutMs?: number;
}

/** Whether a command line asks for a dial; an agent's never starts with an option. Undefined when it does not. */
export const dialledPath = (command: readonly string[]): string | undefined => {
  const [option, path, ...rest] = command;
  return option === '--dial' && path?.startsWith('/') === true && rest.length === 0 ? path : undefined;
};

const connectWhenThere = async (path: string, timeoutMs: number, ended: AbortSignal): Promise<Socket> => {
  const late = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([late, ended]);
  for (;;) {
    try {
      return await connectUnix(path, { patienceMs: timeoutMs, signal });
    } catch (cause) {
      await delay(RETRY_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted)
        throw new BridgeError('BRIDGE_DIAL_FAILED', `nothing waits at ${path} (${reasonOf(cause)})`, { path }, { cause });
    }
  }
};

/**
 * Carries bytes between its input and output and the bridge's socket, unread and with back-pressure, until either side ends.
 * @throws BridgeError BRIDGE_DIAL_FAILED when nothing waits there.
 */
export const dial = async ({ path, input, output, timeoutMs = 15_000 }: DialOptions): Promise<void> => {
  const ended = new AbortController();
  // Read from the start, so that the end of the launcher is seen while there is no socket yet.
  const early = new PassThrough();
  input.once('end', () => ended.abort()).once('error', () => ended.abort());
  input.pipe(early);
  try {
    const socket = await connectWhenThere(path, timeoutMs, ended.signal);
    const closed = once(socket, 'close');
    input.on('error', () => socket.destroy());
    output.on('error', () => socket.destroy());
    early.pipe(socket);
    socket.pipe(output);
    const lingering = new AbortController();
    const linger = async (): Promise<void> => {
      await Promise.race([once(socket, 'end'), once(early, 'end')]);
      await delay(LINGER_MS, undefined, { signal: lingering.signal });
      socket.destroy();
    };
    linger().catch(() => {});
    await closed;
    lingering.abort();
    if (!output.writableFinished && !output.destroyed) {
      output.end();
      await Promise.race([once(output, 'close'), once(output, 'finish'), delay(LINGER_MS)]);
    }
  } finally {
    input.destroy();
    output.destroy();
  }
};
