import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The published command, as built: what a person runs. */
const COMMAND = fileURLToPath(new URL('../dist/bin.js', import.meta.url));

export interface SessionOptions {
  /** Options of `doompi-sandbox` and, after `--`, of the agent. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the command. */
  readonly environment: Readonly<Record<string, string>>;
}

const start = ({
  args,
  cwd,
  environment,
}: SessionOptions): ChildProcess & { readonly stdout: NodeJS.ReadableStream; readonly stderr: NodeJS.ReadableStream } => {
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd, env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
  return child;
};

/** Runs a session that only prints the agent's version, with its progress on our stderr: the first one on a machine builds the image. */
export const prepareImage = async ({ args, cwd, environment }: SessionOptions): Promise<void> => {
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd, env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
  await once(child, 'close');
};

export interface Answer {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds from the start of the command to the first byte of the answer. */
  readonly ttftMs: number | undefined;
}

/** Asks once, with the prompt in the arguments, and waits for the end. */
export const ask = async (options: SessionOptions): Promise<Answer> => {
  const started = performance.now();
  let ttftMs: number | undefined;
  const child = start(options);
  child.stdin?.end();
  child.stdout.once('data', () => {
    ttftMs = Math.round(performance.now() - started);
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { exitCode: child.exitCode, stdout, stderr, ttftMs };
};

/**
 * Asks over the agent's RPC mode, runs `during` while the agent has answered and still lives, then ends the session.
 * The answer is complete once the agent says `agent_settled`.
 */
export const askAndHold = async (
  options: SessionOptions & { readonly prompt: string },
  during: () => Promise<void>,
): Promise<number | null> => {
  const child = start(options);
  const stderr = text(child.stderr);
  const closed = once(child, 'close');
  const settled = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"agent_settled"')) resolve();
    });
    void closed.then(async () => reject(new Error(`the session ended before it answered:\n${await stderr}`)));
  });
  child.stdin?.write(`${JSON.stringify({ id: '1', type: 'prompt', message: options.prompt })}\n`);
  try {
    await settled;
    await during();
  } finally {
    child.stdin?.end();
    await closed;
  }
  return child.exitCode;
};
