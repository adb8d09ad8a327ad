import { spawn, type IPty } from '@lydell/node-pty';
import { within } from './wait-for.ts';

export interface TerminalOptions {
  /** The whole environment; default: this process's. TERM is `xterm-256color` unless given. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Default 100. */
  readonly columns?: number;
  /** Default 30. */
  readonly rows?: number;
}

export interface TerminalProcess extends AsyncDisposable {
  readonly pid: number;
  /** All it wrote so far, control sequences included. */
  readonly output: string;
  /** Settles when the program ends. `signal` is its number, 0 for none. */
  readonly exited: Promise<{ readonly exitCode: number; readonly signal: number }>;
  /** As typed by a person. One call is one write: the engine looks for detach keys in one-byte reads only. */
  write(data: string): void;
  resize(columns: number, rows: number): void;
  kill(signal?: NodeJS.Signals): void;
  /** The output up to now, as soon as it holds the text or matches. Throws after `timeoutMs` (default 10000) or when the program ends without it. */
  waitForOutput(pattern: string | RegExp, options?: { readonly timeoutMs?: number }): Promise<string>;
  /** Kills it when it still runs and waits for its end. */
  dispose(): Promise<void>;
}

const matches = (text: string, pattern: string | RegExp): boolean =>
  typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text);

const open = (file: string, args: readonly string[], options: TerminalOptions): IPty => {
  const { env = process.env, cwd = process.cwd(), columns = 100, rows = 30 } = options;
  const defined = Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  return spawn(file, [...args], { name: defined['TERM'] ?? 'xterm-256color', cwd, cols: columns, rows, env: defined });
};

/** Runs a program on a terminal of its own (a pseudo-terminal). */
export const spawnInTerminal = (file: string, args: readonly string[], options: TerminalOptions = {}): TerminalProcess => {
  const terminal = open(file, args, options);
  let output = '';
  let ended = false;
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  terminal.onData((data) => {
    output += data;
    notify();
  });
  const exited = new Promise<{ exitCode: number; signal: number }>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      ended = true;
      resolve({ exitCode, signal: signal ?? 0 });
      notify();
    });
  });
  const kill = (signal: NodeJS.Signals = 'SIGTERM'): void => {
    if (!ended) terminal.kill(signal);
  };
  const dispose = async (): Promise<void> => {
    kill('SIGKILL');
    await exited;
  };
  return {
    pid: terminal.pid,
    get output() {
      return output;
    },
    exited,
    write: (data) => terminal.write(data),
    resize: (columns, rows) => terminal.resize(columns, rows),
    kill,
    waitForOutput: async (pattern, { timeoutMs = 10_000 } = {}) => {
      let listener: (() => void) | undefined;
      const seen = new Promise<string>((resolve, reject) => {
        listener = () => {
          if (matches(output, pattern)) resolve(output);
          else if (ended) reject(new Error(`The program ended without writing ${String(pattern)}; it wrote:\n${output}`));
        };
        listeners.add(listener);
        listener();
      });
      try {
        return await within(seen, { timeoutMs, what: `${String(pattern)} on the terminal` });
      } catch (error) {
        throw new Error(`${(error as Error).message}\n--- terminal\n${output}`, { cause: error });
      } finally {
        if (listener !== undefined) listeners.delete(listener);
      }
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
};
