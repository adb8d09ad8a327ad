import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const FIXTURE: string = fileURLToPath(new URL('../fixtures/entry.ts', import.meta.url));
export const SOURCE_FLAGS: readonly string[] = ['--conditions=@doompi-sandbox/source', '--disable-warning=ExperimentalWarning'];

export interface Finished {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly elapsedMs: number;
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves when stdout holds the text. */
  said(text: string): Promise<void>;
}

export interface BridgeSpawnOptions extends SpawnOptions {
  readonly input?: Buffer | string;
  /** Leaves stdin open. Default false. */
  readonly keepInput?: boolean;
}

/** Ends what a test left running; nothing when all has ended. */
export const killGroup = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Starts the bridge from its sources with these options and this agent command. */
export const startBridge = (
  options: Record<string, unknown>,
  command: readonly string[],
  { input, keepInput = false, ...spawnOptions }: BridgeSpawnOptions = {},
): Running => {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...SOURCE_FLAGS, FIXTURE, JSON.stringify(options), ...command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group of its own, so that a failing test leaves no agent behind.
    detached: true,
    ...spawnOptions,
  });
  onTestFinished(() => killGroup(child.pid));
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin?.on('error', () => {});
  if (!keepInput) child.stdin?.end(input);
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject).once('close', (status, signal) => {
      const elapsedMs = performance.now() - startedAt;
      resolve({ status, signal, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString(), elapsedMs });
    });
  });
  const said = async (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (Buffer.concat(out).includes(text)) resolve();
      };
      check();
      child.stdout?.on('data', check);
      void finished.then((end) => reject(new Error(`ended with ${end.status} before it said ${text}: ${end.stderr}`)));
    });
  return { child, finished, said };
};

export const runBridgeProcess = async (...parameters: Parameters<typeof startBridge>): Promise<Finished> =>
  startBridge(...parameters).finished;
