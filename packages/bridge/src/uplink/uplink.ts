import type { Duplex } from 'node:stream';
import type { Channel, TransportName } from '@doompi-sandbox/contract';

export interface ConnectOptions {
  /** How long a connection that cannot be had at once is waited for, in milliseconds. */
  readonly patienceMs: number;
  /** Ends the attempt; the promise then rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** A way to the launcher. */
export interface Uplink extends AsyncDisposable {
  readonly transport: TransportName;
  /** Where a channel is, for messages. */
  place(channel: Channel): string;
  /** A connection to the launcher, half-open allowed. It may be destroyed again by the time the caller has it. */
  connect(channel: Channel, options: ConnectOptions): Promise<Duplex>;
}
