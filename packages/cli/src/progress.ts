import { formatNotice, type Notice } from '@doompi-sandbox/harness';
import { printable } from './printable.ts';

/** The part of a writable stream that progress needs. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  notice(notice: Notice): void;
  /** Ends a line that is being rewritten. */
  end(): void;
}

const CLEAR_LINE = '\r\u001B[2K';

/** Prints notices, one line each; on a terminal the build's output is one line that is rewritten, with the time it takes so far. */
export const createProgress = (stream: ProgressStream, now: () => number): Progress => {
  const rewrites = stream.isTTY === true;
  let buildStart: number | undefined;
  let open = false;
  const end = (): void => {
    if (open) stream.write(CLEAR_LINE);
    open = false;
  };
  return {
    end,
    notice: (notice) => {
      if (notice.code === 'image-building' || notice.code === 'image-refreshing') buildStart = now();
      const text = printable(formatNotice(notice)).replaceAll('\n', '\u{fffd}');
      if (notice.code === 'image-build-output' && rewrites) {
        const seconds = ((now() - (buildStart ?? now())) / 1000).toFixed(0);
        stream.write(CLEAR_LINE + `doompi-sandbox: building, ${seconds} s: ${text}`.slice(0, (stream.columns ?? 80) - 1));
        open = true;
        return;
      }
      end();
      stream.write(`doompi-sandbox: ${text}\n`);
    },
  };
};
