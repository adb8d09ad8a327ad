import { spawn } from 'node:child_process';
import { type CaptureResult, PIPES_CLOSE, publishCommand, signalNumber, subcommand } from '../command/command.ts';
import { engineError } from '../error.ts';

/** An answer to a question of detection larger than this, in bytes, is no answer. */
const MAXIMUM_ANSWER = 4 * 1024 * 1024;

export interface AskOptions {
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Reaches its end at the deadline or when the answer is not wanted any more. */
  readonly signal: AbortSignal;
}

const killGroup = (leader: number | undefined): void => {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The group has ended.
  }
};

/**
 * Runs a program that may not be what its name says: no stdin, no terminal to ask at, own session. At the end of the signal its
 * whole process group is killed. Any exit status is a result.
 * @throws EngineError ENGINE_NOT_SPAWNED, ENGINE_ANSWER_UNREADABLE; the signal's reason
 */
export const ask = (file: string, args: readonly string[], { environment, signal }: AskOptions): Promise<CaptureResult> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const command = subcommand(args);
    const started = performance.now();
    const child = spawn(file, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let size = 0;

    let over = false;
    /** True the first time; afterwards nothing more is read. */
    const finish = (exitCode: number | undefined): boolean => {
      if (over) return false;
      over = true;
      signal.removeEventListener('abort', abort);
      child.stdout.destroy();
      child.stderr.destroy();
      publishCommand({ file, command, started, exitCode });
      return true;
    };
    const fail = (error: unknown): void => {
      if (!finish(undefined)) return;
      killGroup(child.pid);
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a signal's reason is whatever its owner gave it
      reject(error);
    };
    const abort = (): void => fail(signal.reason);
    const keep = (stream: Buffer[], chunk: Buffer): void => {
      stream.push(chunk);
      size += chunk.length;
      const message = `${file} ${command} wrote more than ${MAXIMUM_ANSWER} bytes.`;
      if (size > MAXIMUM_ANSWER) fail(engineError('ENGINE_ANSWER_UNREADABLE', message, { command, answer: '' }));
    };
    const settle = (code: number | null, ended: NodeJS.Signals | null): void => {
      const exitCode = code ?? 128 + signalNumber(ended ?? undefined);
      const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');
      if (finish(exitCode)) resolve({ exitCode, stdout: text(stdout), stderr: text(stderr) });
    };

    signal.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => keep(stdout, chunk));
    child.stderr.on('data', (chunk: Buffer) => keep(stderr, chunk));
    child.once('error', (cause) =>
      fail(engineError('ENGINE_NOT_SPAWNED', `${file} could not be started.`, { file, command }, { cause })),
    );
    child.once('exit', (code, ended) => {
      const timer = setTimeout(() => settle(code, ended), PIPES_CLOSE);
      child.once('close', () => {
        clearTimeout(timer);
        settle(code, ended);
      });
    });
  });
