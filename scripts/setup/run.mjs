import { spawn } from 'node:child_process';

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {Readonly<Record<string, string | undefined>>} [env] added to the runner's
 * @property {number} [timeoutMs] default 10 minutes
 * @property {boolean} [finish] never ended half-way by an interrupt: it is waited for (dpkg)
 * @property {AbortSignal} [signal] ends this program alone, softly: the result then says that it failed
 * @property {(line: string) => void} [onLine] each line of both outputs, as it comes
 */

/** @typedef {{ exitCode: number | undefined, stdout: string, stderr: string, tail: string, timedOut: boolean, missing: boolean, ok: boolean }} RunResult */

/** @typedef {(file: string, args: readonly string[], options?: RunOptions) => Promise<RunResult>} Run */

const TAIL_LINES = 15;

const lastLines = (/** @type {string} */ text) => text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');

/** @param {(line: string) => void} onLine */
const splitter = (onLine) => {
  let rest = '';
  return (/** @type {string} */ chunk) => {
    const lines = (rest + chunk).split(/\r?\n|\r/);
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  };
};

/**
 * Runs programs and keeps what they write; every exit status is a result, and so are a missing program and a passed deadline.
 * Each program leads a process group of its own: Ctrl-C reaches us alone, and `signal` then ends the whole group.
 * @param {{ env: Readonly<Record<string, string | undefined>>, signal: AbortSignal }} setting
 * @returns {Run}
 */
export const createRunner = ({ env, signal }) => {
  return (file, args, { cwd, env: more = {}, timeoutMs = 600_000, finish = false, signal: own, onLine } = {}) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const child = spawn(file, args, {
        env: { ...env, ...more },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(cwd === undefined ? {} : { cwd }),
      });
      let stdout = '';
      let stderr = '';
      let both = '';
      let timedOut = false;
      const end = (/** @type {NodeJS.Signals} */ name) => {
        if (child.pid === undefined) return;
        try {
          process.kill(-child.pid, name);
        } catch {
          // The group is gone already.
        }
      };
      /** @type {NodeJS.Timeout | undefined} */
      let last;
      const stop = () => {
        end('SIGTERM');
        last = setTimeout(() => end('SIGKILL'), 5000);
      };
      const interrupt = () => {
        if (!finish) stop();
      };
      signal.addEventListener('abort', interrupt, { once: true });
      own?.addEventListener('abort', stop, { once: true });
      const timer = setTimeout(() => {
        timedOut = true;
        stop();
      }, timeoutMs);
      const settle = () => {
        clearTimeout(timer);
        clearTimeout(last);
        signal.removeEventListener('abort', interrupt);
        own?.removeEventListener('abort', stop);
      };
      const lines = onLine === undefined ? undefined : splitter(onLine);
      child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
        stdout += chunk;
        both += chunk;
        lines?.(chunk);
      });
      child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
        stderr += chunk;
        both += chunk;
        lines?.(chunk);
      });
      child.once('error', (error) => {
        settle();
        if ('code' in error && error.code === 'ENOENT')
          resolve({ exitCode: 127, stdout, stderr, tail: `${file}: no such program`, timedOut, missing: true, ok: false });
        else reject(error);
      });
      child.once('close', (code) => {
        settle();
        if (signal.aborted) reject(signal.reason);
        else {
          const exitCode = code ?? undefined;
          resolve({ exitCode, stdout, stderr, tail: lastLines(both), timedOut, missing: false, ok: code === 0 && !timedOut });
        }
      });
    });
};
