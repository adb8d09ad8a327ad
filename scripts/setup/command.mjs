import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Interrupted } from './failure.mjs';
import { explain, setUp } from './setup.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Runs the command itself on our own terminal and answers its exit status. Ctrl-C reaches it as it reaches us; TERM is handed on. */
const runInPlace = (
  /** @type {string} */ file,
  /** @type {readonly string[]} */ args,
  /** @type {Readonly<Record<string, string>>} */ environment,
) =>
  new Promise((/** @type {(code: number) => void} */ done, reject) => {
    const child = spawn(file, args, {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ...environment },
    });
    const terminate = () => child.kill('SIGTERM');
    const ignore = () => {};
    process.on('SIGTERM', terminate).on('SIGINT', ignore);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', terminate).off('SIGINT', ignore);
      done(code ?? 128 + constants.signals[signal ?? 'SIGKILL']);
    });
  });

/**
 * Set-up, then a command with Node 24. `--yes` is set-up's; all other arguments are the command's.
 * @param {(args: readonly string[]) => { engines: import('./setup.mjs').Engines, args?: readonly string[] }} command without `args`: set-up alone
 */
export const setUpThenRun = async (command) => {
  const yes = process.argv.includes('--yes');
  const { engines, args } = command(process.argv.slice(2).filter((arg) => arg !== '--yes'));
  const interrupt = new AbortController();
  const onSignal = (/** @type {NodeJS.Signals} */ signal) => {
    process.stderr.write(`set-up: ${signal}: stopping; a running apt-get is waited for\n`);
    interrupt.abort(new Interrupted(signal));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  /** @type {Record<string, string>} */
  let environment = {};
  try {
    environment = await setUp({ root: ROOT, env: process.env, yes, engines, signal: interrupt.signal });
  } catch (error) {
    process.exitCode = explain(error);
    return;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
  if (args === undefined) return;
  const bin = resolve(ROOT, 'node_modules/.bin');
  const path = `${bin}:${process.env['PATH'] ?? ''}`;
  process.exitCode = await runInPlace(resolve(bin, 'node'), args, { ...environment, PATH: path });
};
