import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';

export interface RunProgramOptions {
  /** The whole environment of the program; nothing is added. Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Written to stdin, which is then closed. Default: empty. */
  readonly input?: string | Uint8Array;
  /** After this the program and its children get KILL and the call throws. Milliseconds, default 60000. */
  readonly timeoutMs?: number;
}

export interface ProgramResult {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

const killGroup = (pid: number | undefined): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
};

/**
 * Runs a program to its end and keeps what it wrote. Any exit status is a result.
 * The program leads its own process group, so that children of a hanging program end with it.
 * @throws Error when it cannot be started, or runs longer than `timeoutMs` (the message holds what it wrote).
 */
export const runProgram = (file: string, args: readonly string[], options: RunProgramOptions = {}): Promise<ProgramResult> => {
  const { env = process.env, cwd, input = '', timeoutMs = 60_000 } = options;
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(file, args, {
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(child.pid);
    }, timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    // A program that never reads its input closes the pipe; that is its right.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.once('error', (cause) => {
      clearTimeout(timer);
      reject(new Error(`${file} could not be started`, { cause }));
    });
    child.once('close', (exitCode, signal) => {
      clearTimeout(timer);
      if (timedOut)
        reject(new Error(`${file} ran longer than ${timeoutMs} ms\n--- stdout\n${text(stdout)}\n--- stderr\n${text(stderr)}`));
      else
        resolve({
          exitCode: exitCode ?? undefined,
          signal: signal ?? undefined,
          stdout: text(stdout),
          stderr: text(stderr),
          durationMs: performance.now() - started,
        });
    });
  });
};
