import { createInterface } from 'node:readline/promises';
import { printableLine } from './printable.ts';

/** Streams of a terminal that a question can be asked on. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** Called for Ctrl-C, which is a key like another one while a question is open. */
  readonly interrupt: () => void;
}

/**
 * Asks the person a yes-or-no question; anything but yes is no. Undefined where nobody can be asked: stdin may be the prompt of a pipe,
 * of which nothing must be read.
 */
export const confirmOn = ({ input, output, interrupt }: Terminal): ((question: string) => Promise<boolean>) | undefined => {
  if (input.isTTY !== true || output.isTTY !== true) return undefined;
  return async (question) => {
    const reader = createInterface({ input, output });
    const ended = new Promise<string>((resolve) => {
      reader.once('close', () => resolve(''));
    });
    reader.once('SIGINT', () => {
      interrupt();
      reader.close();
    });
    try {
      const asked = reader.question(`doompi-sandbox: ${printableLine(question)} [y/N] `);
      return /^y(?:es)?$/i.test((await Promise.race([asked, ended])).trim());
    } finally {
      reader.close();
    }
  };
};
