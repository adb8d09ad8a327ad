import { channel } from 'node:diagnostics_channel';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { engineError } from '../error.ts';

/** Message on the diagnostics channel `doompi-sandbox:engine:command`, after each captured command. */
export interface EngineCommandEvent {
  readonly file: string;
  /** The engine's subcommand, such as `image inspect`; never its arguments. */
  readonly command: string;
  readonly durationMs: number;
  /** Undefined when it did not start or was ended at its deadline. */
  readonly exitCode: number | undefined;
}

const commands = channel('doompi-sandbox:engine:command');

/** Engine's output larger than this, in bytes, is an error rather than cut off. */
const MAXIMUM_OUTPUT = 64 * 1024 * 1024;

/** Time, in milliseconds, in which a program's pipes close after its end, or after the last that came from them. */
export const PIPES_CLOSE = 200;

export interface CaptureOptions {
  /** Deadline in milliseconds; default none. */
  readonly timeoutMs?: number;
  /** Variables added to the client's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Bytes or text for its stdin; default nothing, at once at its end. */
  readonly input?: string | Uint8Array;
  /** Ends the command; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface CaptureResult {
  /** Death by signal N is 128+N, as a shell has it. */
  readonly exitCode: number;
  /** Everything it wrote, final newline included. */
  readonly stdout: string;
  readonly stderr: string;
}

/** The words of the subcommand: arguments up to the first option, two at most. Free of paths, names and values. */
export const subcommand = (args: readonly string[]): string => {
  const option = args.findIndex((argument) => argument.startsWith('-'));
  const words = option === -1 ? args : args.slice(0, option);
  return words.slice(0, ['image', 'container', 'volume', 'context', 'buildx'].includes(words[0] ?? '') ? 2 : 1).join(' ');
};

export const signalNumber = (signal: string | undefined): number =>
  signal === undefined ? 0 : ((constants.signals as Record<string, number>)[signal] ?? 0);

/** Tells the channel of a command that ended. */
export const publishCommand = ({
  started,
  ...event
}: Omit<EngineCommandEvent, 'durationMs'> & { readonly started: number }): void => {
  if (commands.hasSubscribers)
    commands.publish({ ...event, durationMs: performance.now() - started } satisfies EngineCommandEvent);
};

/**
 * Closes the pipes of a program that has ended, once nothing comes from them any more. A child that it left behind, such as what a
 * wrapper around an engine's command waits for, may hold them long after a deadline has ended the wrapper.
 */
const letGoOfPipes = (pipes: readonly Readable[]): void => {
  // After a look at the pipes, so that a busy process does not take unread output for silence.
  const close = (): unknown => setImmediate(() => pipes.forEach((pipe) => pipe.destroy()));
  const timer = setTimeout(close, PIPES_CLOSE);
  for (const pipe of pipes) {
    pipe.on('data', () => timer.refresh());
    pipe.once('close', () => pipes.every(({ closed }) => closed) && clearTimeout(timer));
  }
};

/** Runs a program with exactly this environment and keeps what it writes. See {@link capture} for the errors. */
export const runCommand = async (
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  options: CaptureOptions,
): Promise<CaptureResult> => {
  const { timeoutMs, input, signal } = options;
  signal?.throwIfAborted();
  const command = subcommand(args);
  const started = performance.now();
  const child = execa(file, args, {
    env: { ...environment, ...options.environment },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    maxBuffer: MAXIMUM_OUTPUT,
    ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs, killSignal: 'SIGKILL' as const }),
    ...(signal === undefined ? {} : { cancelSignal: signal }),
  });
  child.nodeChildProcess.once('exit', () => letGoOfPipes([child.stdout, child.stderr]));
  const result = await child;
  const exitCode = result.exitCode ?? (result.signal === undefined ? undefined : 128 + signalNumber(result.signal));
  publishCommand({ file, command, started, exitCode: result.timedOut ? undefined : exitCode });
  if (result.isCanceled) throw signal?.reason;
  if (result.timedOut && timeoutMs !== undefined)
    throw engineError('ENGINE_TIMEOUT', `${file} ${command} gave no answer within ${timeoutMs} ms.`, {
      file,
      command,
      timeoutMs,
    });
  if (result.isMaxBuffer)
    throw engineError('ENGINE_ANSWER_UNREADABLE', `${file} ${command} wrote more than ${MAXIMUM_OUTPUT} bytes.`, {
      command,
      answer: '',
    });
  if (exitCode === undefined)
    throw engineError('ENGINE_NOT_SPAWNED', `${file} could not be started.`, { file, command }, { cause: result.cause });
  return { exitCode, stdout: result.stdout ?? '', stderr: result.stderr ?? '' };
};
