import { channel, type Channel } from 'node:diagnostics_channel';
import type { RefusalCode } from './refusal.ts';
import { withoutTokens } from './token.ts';

/** How a request ended. */
export type RequestOutcome = 'complete' | 'client-abort' | 'upstream-error' | 'refused';

/** Published on `doompi-sandbox:broker:request` when a request has ended. No field can hold a secret. */
export interface RequestEvent {
  /** Undefined when no token was valid. */
  readonly session: string | undefined;
  /** Undefined when the request named none that the session may use. */
  readonly provider: string | undefined;
  readonly method: string;
  /** As requested, without query, control characters and anything shaped like a key; at most 200 characters. */
  readonly path: string;
  /** Status that the client was sent; 0 when it was sent none. */
  readonly status: number;
  readonly outcome: RequestOutcome;
  /** Milliseconds since the request head arrived. */
  readonly durationMs: number;
}

/** Published on `doompi-sandbox:broker:refusal` for each request that got no answer from an upstream; method and path are empty when the bytes were no request. No field can hold a secret. */
export interface RefusalEvent {
  readonly session: string | undefined;
  readonly provider: string | undefined;
  readonly method: string;
  /** As in `RequestEvent`. */
  readonly path: string;
  readonly code: RefusalCode;
  readonly status: number;
}

/** Names of the `node:diagnostics_channel` channels. */
export const BROKER_CHANNELS = {
  request: 'doompi-sandbox:broker:request',
  refusal: 'doompi-sandbox:broker:refusal',
} as const;

const requests: Channel = channel(BROKER_CHANNELS.request);
const refusals: Channel = channel(BROKER_CHANNELS.refusal);

/** Publishes when somebody listens; the event is made only then. */
export const publishRequest = (event: () => RequestEvent): void => {
  if (requests.hasSubscribers) requests.publish(event());
};

/** Publishes when somebody listens; the event is made only then. */
export const publishRefusal = (event: () => RefusalEvent): void => {
  if (refusals.hasSubscribers) refusals.publish(event());
};

const LONGEST = 200;
// oxlint-disable-next-line no-control-regex -- they are what is removed
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text from a request, fit for a log line on a terminal. */
export const printable = (text: string): string => {
  const clean = withoutTokens(text).replace(UNPRINTABLE, '');
  return clean.length > LONGEST ? `${clean.slice(0, LONGEST - 1)}…` : clean;
};
