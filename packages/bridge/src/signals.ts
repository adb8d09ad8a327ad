/** Where signals to this process arrive; `process` is one. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

type Handler = (signal: NodeJS.Signals) => void;

const ENDING = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;
const OTHER = ['SIGUSR1', 'SIGUSR2', 'SIGTSTP'] as const;

/** A terminal's keys send these to the whole foreground group, the agent included. */
const FROM_KEYS: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT']);

/**
 * What a signal to the bridge does to the running agent; undefined = nothing.
 * Ctrl-Z stops the agent and would stop the bridge with it; no shell in the container could continue them, so the bridge
 * stays and continues the agent. SIGWINCH needs no help: a terminal sends it to the whole group.
 */
export const signalForAgent = (signal: NodeJS.Signals, onTerminal: boolean): NodeJS.Signals | undefined => {
  if (signal === 'SIGTSTP') return 'SIGCONT';
  return onTerminal && FROM_KEYS.has(signal) ? undefined : signal;
};

/** Signals to this process, taken from now on: as PID 1 a process without a handler would never see them. */
export interface SignalInbox extends Disposable {
  /** The first signal that ends a process and that came while nobody had taken over. */
  readonly ended: Promise<NodeJS.Signals>;
  /** From now on `handler` gets every signal; an ending one that already came, at once. */
  handOver(handler: Handler): void;
}

export const openSignalInbox = (source: SignalSource): SignalInbox => {
  const ended = Promise.withResolvers<NodeJS.Signals>();
  const ending: ReadonlySet<NodeJS.Signals> = new Set(ENDING);
  let early: NodeJS.Signals | undefined;
  let handler: Handler = (signal) => {
    if (!ending.has(signal)) return;
    early ??= signal;
    ended.resolve(signal);
  };
  const listener: Handler = (signal) => handler(signal);
  for (const signal of [...ENDING, ...OTHER]) source.on(signal, listener);
  return {
    ended: ended.promise,
    handOver: (next) => {
      handler = next;
      if (early !== undefined) next(early);
    },
    [Symbol.dispose]: () => {
      for (const signal of [...ENDING, ...OTHER]) source.off(signal, listener);
    },
  };
};
