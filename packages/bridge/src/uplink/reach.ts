import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Transport, TransportName } from '@doompi-sandbox/contract';
import { BridgeError, reasonOf } from '../error.ts';
import { socketUplink } from './socket.ts';
import { tcpUplink } from './tcp.ts';
import { tunnelUplink } from './tunnel.ts';
import type { Uplink } from './uplink.ts';

const RETRY_MS = 250;

/** Milliseconds for a transport that is not the last one. */
const ATTEMPT_MS = 3000;

export interface ReachOptions {
  /** Milliseconds for the last transport, which is tried again until then. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The launcher, reached. */
export interface Reached {
  readonly uplink: Uplink;
  /** The connection that showed it. */
  readonly lifeline: Duplex;
}

interface Failure {
  readonly transport: TransportName;
  readonly place: string;
  /** A system error's code, or another word of capitals, digits and underscores. */
  readonly reason: string;
}

const timedOut = (): Error => Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });

const codeOf = (error: unknown): string => {
  const reason = reasonOf(error);
  return /^[A-Z0-9_]{1,60}$/.test(reason) ? reason : 'FAILED';
};

const openUplink = async (transport: Transport, passedOver: string): Promise<Uplink> => {
  switch (transport.transport) {
    case 'socket':
      return socketUplink(transport);
    case 'tcp':
      return tcpUplink(transport, passedOver);
    case 'tunnel':
      return tunnelUplink(transport, passedOver);
  }
};

const placeOf = (transport: Transport): string => {
  switch (transport.transport) {
    case 'socket':
      return transport.lifeline;
    case 'tcp':
      return `${transport.host}:${transport.port}`;
    case 'tunnel':
      return transport.path;
  }
};

/** A first lifeline: at once or not at all where there is another way, else until the time is over. */
const firstLifeline = async (uplink: Uplink, last: boolean, { timeoutMs, signal }: ReachOptions): Promise<Duplex> => {
  const allowedMs = last ? timeoutMs : ATTEMPT_MS;
  const late = AbortSignal.timeout(allowedMs);
  const either = AbortSignal.any([signal, late]);
  let reason: Error | undefined;
  for (;;) {
    try {
      return await uplink.connect('lifeline', { patienceMs: allowedMs, signal: either });
    } catch (error) {
      signal.throwIfAborted();
      // One that the deadline cut off proves nothing about the attempts before it.
      if (!late.aborted) reason = error instanceof Error ? error : new Error(String(error));
      if (!last || late.aborted) throw reason ?? timedOut();
      await delay(RETRY_MS, undefined, { signal: either }).catch(() => {});
      signal.throwIfAborted();
    }
  }
};

const unreachable = (failures: readonly Failure[]): BridgeError => {
  const tried = failures.map(({ place, reason }) => `${place} (${reason})`).join(' nor through ');
  const message = `the launcher cannot be reached through ${tried}; the agent was not started`;
  return new BridgeError('BRIDGE_LIFELINE_UNREACHABLE', message, { tried: failures });
};

/**
 * Takes the first transport that leads to the launcher; it stays the only one.
 * @throws BridgeError BRIDGE_LIFELINE_UNREACHABLE with the reason of each.
 */
export const reachLauncher = async (transports: readonly Transport[], options: ReachOptions): Promise<Reached> => {
  const failures: Failure[] = [];
  for (const [index, transport] of transports.entries()) {
    const passedOver = failures.map((failure) => `${failure.transport}=${failure.reason}`).join(',');
    let uplink: Uplink | undefined;
    try {
      uplink = await openUplink(transport, passedOver);
      return { uplink, lifeline: await firstLifeline(uplink, index === transports.length - 1, options) };
    } catch (error) {
      await uplink?.[Symbol.asyncDispose]();
      options.signal.throwIfAborted();
      failures.push({ transport: transport.transport, place: placeOf(transport), reason: codeOf(error) });
    }
  }
  throw unreachable(failures);
};
