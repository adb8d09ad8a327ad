import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { temporaryDirectory } from './temporary-directory.ts';

export interface StubPrograms extends AsyncDisposable {
  /** Directory that holds the programs. */
  readonly directory: string;
  /** A PATH of the stubs alone: their scripts find shell builtins and absolute paths only. */
  readonly path: string;
  /** A PATH with the stubs before `rest` (default: this process's PATH). */
  pathBefore(rest?: string): string;
  /** Arguments of each call of the stub so far, oldest first. Only for stubs without a `#!` line of their own. */
  calls(name: string): Promise<readonly (readonly string[])[]>;
  dispose(): Promise<void>;
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** One printf is one write, so calls made side by side do not mix. */
const recorder = (log: string): string => `#!/bin/sh\nprintf '%s\\0' "$#" "$@" >>${quote(log)}\n`;

const parseCalls = (text: string): string[][] => {
  const fields = text.split('\0').slice(0, -1);
  const calls: string[][] = [];
  for (let at = 0; at < fields.length;) {
    const end = at + 1 + Number(fields[at]);
    calls.push(fields.slice(at + 1, end));
    at = end;
  }
  return calls;
};

/**
 * Writes executable programs for a PATH: `stubPrograms({ docker: 'echo "no daemon" >&2; exit 1' })`.
 * A text that starts with `#!` is written as is; any other is a POSIX shell script whose calls are recorded.
 */
export const stubPrograms = async (programs: Readonly<Record<string, string>>): Promise<StubPrograms> => {
  const directory = await temporaryDirectory('doompi-stubs-');
  const log = (name: string): string => join(directory.path, `.${name}.calls`);
  for (const [name, script] of Object.entries(programs)) {
    const file = join(directory.path, name);
    await writeFile(file, script.startsWith('#!') ? script : `${recorder(log(name))}${script}\n`);
    await chmod(file, 0o755);
  }
  return {
    directory: directory.path,
    path: directory.path,
    pathBefore: (rest = process.env['PATH'] ?? '') => `${directory.path}${delimiter}${rest}`,
    calls: async (name) => {
      try {
        return parseCalls(await readFile(log(name), 'utf8'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    },
    dispose: directory.dispose,
    [Symbol.asyncDispose]: directory.dispose,
  };
};
