/** The part of `tty.WriteStream` that says how wide the terminal is. */
export interface SizedTerminal {
  /** 0 until the engine has set the size. */
  readonly columns: number;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

/**
 * Resolves when the terminal has a width, or after `timeoutMs`.
 * An engine sets the size only after the container's process runs (moby/moby#28009): a full-screen program that
 * starts earlier draws for 0 columns.
 */
export const awaitTerminalSize = async (terminal: SizedTerminal, timeoutMs = 1000): Promise<void> => {
  if (terminal.columns > 0) return;
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      terminal.off('resize', check);
      resolve();
    };
    const check = (): void => {
      if (terminal.columns > 0) finish();
    };
    const timer = setTimeout(finish, timeoutMs);
    terminal.on('resize', check);
  });
};
