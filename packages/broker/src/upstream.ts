import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';

const SECOND = 1000;

/** The client for upstreams, shared by all sessions of a broker. */
export interface Upstream {
  /** Defined once loaded. */
  readonly dispatcher: Dispatcher | undefined;
  load(): Promise<Dispatcher>;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** Loads its HTTP client when first asked, so that starting a broker does not wait for it. */
export const createUpstream = (): Upstream => {
  let loading: Promise<Dispatcher> | undefined;
  let dispatcher: Dispatcher | undefined;
  const closed = new AbortController();
  // Every connection listens to it.
  setMaxListeners(0, closed.signal);
  const create = async (): Promise<Dispatcher> => {
    const { Agent } = await import('undici');
    dispatcher = new Agent({
      allowH2: false,
      pipelining: 1,
      // An explicit `true` wins over NODE_TLS_REJECT_UNAUTHORIZED=0 in the host's environment.
      connect: { rejectUnauthorized: true, timeout: 10 * SECOND, signal: closed.signal },
      // Agents give up after 300 s without a byte; the broker must not be the first.
      headersTimeout: 900 * SECOND,
      bodyTimeout: 900 * SECOND,
      // Below the 5 s after which common servers close an idle connection without saying so.
      keepAliveTimeout: 4 * SECOND,
    });
    return dispatcher;
  };
  return {
    get dispatcher() {
      return dispatcher;
    },
    load: () => (loading ??= create()),
    close: async () => {
      if (loading !== undefined) await (await loading).destroy();
      // The client forgets connections that are still being made; they would keep the process until their deadline.
      closed.abort();
    },
  };
};
