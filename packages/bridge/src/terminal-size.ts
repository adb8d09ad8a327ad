/** The part of `tty.WriteStream` that says how wide the terminal is. */
export interface SizedTerminal {
  /** 0 until the engine has set the size. */
  readonly columns: number;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

export interface TerminalSizeOptions {
  /** Milliseconds to wait at most. */
  readonly timeoutMs: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Resolves when the terminal has a width, or when the time is over.
 * An engine sets the size only after the container's process runs (moby/moby#28009): a full-screen program that
 * starts earlier draws for 0 columns.
 */
export const awaitTerminalSize = async (terminal: SizedTerminal, options: TerminalSizeOptions): Promise<void> => {
  const { timeoutMs, signal } = options;
  if (terminal.columns > 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      terminal.off('resize', check);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const check = (): void => {
      if (terminal.columns > 0) finish();
    };
    const timer = setTimeout(finish, timeoutMs);
    terminal.on('resize', check);
    signal.addEventListener('abort', finish);
  });
};
