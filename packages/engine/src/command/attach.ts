import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { subcommand } from './command.ts';
import type { Engine } from '../engine.ts';
import { engineError } from '../error.ts';

type Stream = 'inherit' | 'ignore' | 'pipe' | number | Socket;

type Streams = readonly [stdin: Stream, stdout: Stream, stderr: Stream];

export interface AttachOptions {
  /**
   * Variables added to the client's environment: the values that `--env NAME` hands on. `undefined` takes one of the client's own away, so
   * that a name without a value stays unset in the container.
   */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For stdin, stdout and stderr; a number is a file descriptor of this process, a socket one that is not read here. */
  readonly stdio: Stream | Streams;
  /** Own process group and session, away from the terminal's signals; default false. */
  readonly detached?: boolean;
}

export type ExitStatus = { readonly exitCode: number } | { readonly signal: NodeJS.Signals };

export interface AttachedProcess {
  /** Undefined when the program could not be started; `exited` then tells why. */
  readonly pid: number | undefined;
  /** Present for a stream that is `pipe`. */
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  /** How the client ended, after its pipes were closed. Rejected with ENGINE_NOT_SPAWNED when it could not be started. */
  readonly exited: Promise<ExitStatus>;
  /** Sends a signal to the client; false when it is gone. */
  kill(signal: NodeJS.Signals): boolean;
}

const exitOf = (child: ChildProcess, file: string, command: string): Promise<ExitStatus> =>
  new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      if (child.pid === undefined)
        reject(engineError('ENGINE_NOT_SPAWNED', `${file} could not be started.`, { file, command }, { cause }));
    });
    child.once('close', (exitCode, signal) => {
      if (exitCode !== null) resolve({ exitCode });
      else if (signal !== null) resolve({ signal });
    });
  });

/** `Array.isArray` does not see a read-only list. */
const isList = (stdio: AttachOptions['stdio']): stdio is Streams => Array.isArray(stdio);

/** Starts the engine's command on the caller's own streams, by default a person's terminal. */
export const attach = (engine: Engine, args: readonly string[], options: AttachOptions): AttachedProcess => {
  const { environment, stdio, detached = false } = options;
  const child: ChildProcess = spawn(engine.file, args, {
    env: { ...engine.environment, ...environment },
    stdio: isList(stdio) ? [...stdio] : [stdio, stdio, stdio],
    detached,
  });
  const exited = exitOf(child, engine.file, subcommand(args));
  // A caller that is still busy with something else must not be ended by an unhandled rejection; its own await still sees it.
  exited.catch(() => undefined);
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    kill: (signal) => child.kill(signal),
  };
};
