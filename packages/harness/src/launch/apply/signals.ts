const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

export type ForwardedSignal = (typeof FORWARDED)[number];

/** Sends signals, while held, to `deliver` instead of letting them end this process; the session then ends by its own status. */
export const forwardSignals = (deliver: (signal: ForwardedSignal) => void): Disposable => {
  for (const signal of FORWARDED) process.on(signal, deliver);
  return {
    [Symbol.dispose]: () => {
      for (const signal of FORWARDED) process.off(signal, deliver);
    },
  };
};
