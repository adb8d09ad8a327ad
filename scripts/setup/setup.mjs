import { ensureBuild } from './build.mjs';
import { createConsent } from './consent.mjs';
import { ensureEngine } from './engine/ensure.mjs';
import { Interrupted, SetupFailure } from './failure.mjs';
import { ensureBaseImage } from './image/ensure.mjs';
import { takeLock } from './lock.mjs';
import { systemPath } from './programs.mjs';
import { createReport } from './report.mjs';
import { createRunner } from './run.mjs';
import { ensureWorkspace } from './workspace.mjs';

/**
 * What every step gets.
 * @typedef {object} Context
 * @property {string} root of the clone
 * @property {Readonly<Record<string, string | undefined>>} env with a PATH that finds system programs
 * @property {import('./report.mjs').Report} report
 * @property {import('./run.mjs').Run} run
 * @property {import('./consent.mjs').Consent} consent
 * @property {AbortSignal} signal aborted when set-up must end
 */

/**
 * Everything that demo and tests need, each part skipped when it is there. Engine and base image on one line, workspace and build on another.
 * @param {{ root: string, env: Readonly<Record<string, string | undefined>>, yes: boolean, signal: AbortSignal }} setting
 * @throws {SetupFailure | Interrupted}
 */
export const setUp = async ({ root, env: given, yes, signal: outside }) => {
  const env = { ...given, PATH: systemPath(given['PATH']) };
  const failed = new AbortController();
  const signal = AbortSignal.any([outside, failed.signal]);
  const report = createReport((line) => process.stderr.write(`set-up: ${line}\n`));
  const consent = createConsent({ yes, env, input: process.stdin, output: process.stderr, report, signal });
  const context = { root, env, report, run: createRunner({ env, signal }), consent, signal };
  const release = await takeLock(context);
  try {
    // The first failure ends the other line; both are awaited, so nothing runs on behind our back.
    const line = async (/** @type {((context: Context) => Promise<void>)[]} */ ...steps) => {
      try {
        for (const step of steps) await step(context);
      } catch (error) {
        failed.abort(error);
        throw error;
      }
    };
    const results = await Promise.allSettled([line(ensureEngine, ensureBaseImage), line(ensureWorkspace, ensureBuild)]);
    outside.throwIfAborted();
    failed.signal.throwIfAborted();
    const rejected = results.find((result) => result.status === 'rejected');
    if (rejected !== undefined) throw rejected.reason;
  } finally {
    release();
  }
};

/** Prints a failure of `setUp` and answers the exit code for it. */
export const explain = (/** @type {unknown} */ error) => {
  if (error instanceof Interrupted) {
    process.stderr.write(`set-up: ${error.message}; run it again, it goes on where it stopped\n`);
    return error.signal === 'SIGTERM' ? 143 : 130;
  }
  process.stderr.write(
    error instanceof SetupFailure
      ? `set-up: ${error.text}\n`
      : `set-up: ✗ unexpected: ${String(error instanceof Error ? error.stack : error)}\n`,
  );
  return 1;
};
