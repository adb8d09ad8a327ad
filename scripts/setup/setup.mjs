import { ensureBuild } from './build.mjs';
import { createConsent } from './consent.mjs';
import { ensureEngine } from './engine/ensure.mjs';
import { ensurePodman } from './engine/podman.mjs';
import { Interrupted, SetupFailure } from './failure.mjs';
import { ensureBaseImage } from './image/ensure.mjs';
import { takeLock } from './lock.mjs';
import { systemPath } from './programs.mjs';
import { createReport } from './report.mjs';
import { createRunner } from './run.mjs';
import { ensureVariants } from './variants/ensure.mjs';
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
 * The engines that are wanted: those that every test runs on, or the one of a demo.
 * @typedef {'every' | 'docker' | 'podman' | (string & {})} Engines
 */

/**
 * The steps on the side of the engine. They answer what the environment of the engine's command needs.
 * @param {Context} context
 * @param {Engines} engines
 * @returns {Promise<Record<string, string>>}
 */
const prepareEngines = async (context, engines) => {
  if (engines === 'podman') return ensurePodman(context);
  if (engines !== 'docker' && engines !== 'every') {
    context.report.note(`engine: set-up prepares docker and podman; ${engines} must be there, with the base image`);
    return {};
  }
  await ensureEngine(context);
  await ensureBaseImage(context);
  if (engines === 'every') await ensureVariants(context);
  return {};
};

/**
 * Everything that demo and tests need, each part skipped when it is there. Engines and base image on one line, workspace and build on another.
 * @param {{ root: string, env: Readonly<Record<string, string | undefined>>, yes: boolean, engines: Engines, signal: AbortSignal }} setting
 * @returns {Promise<Record<string, string>>} what the environment of the engine's command needs
 * @throws {SetupFailure | Interrupted}
 */
export const setUp = async ({ root, env: given, yes, engines, signal: outside }) => {
  const env = { ...given, PATH: systemPath(given['PATH']) };
  const failed = new AbortController();
  const signal = AbortSignal.any([outside, failed.signal]);
  const report = createReport((line) => process.stderr.write(`set-up: ${line}\n`));
  const consent = createConsent({ yes, env, input: process.stdin, output: process.stderr, report, signal });
  const context = { root, env, report, run: createRunner({ env, signal }), consent, signal };
  const release = await takeLock(context);
  try {
    // The first failure ends the other line; both are awaited, so nothing runs on behind our back.
    const line = async (/** @type {(() => Promise<void>)} */ steps) => {
      try {
        await steps();
      } catch (error) {
        failed.abort(error);
        throw error;
      }
    };
    /** @type {Record<string, string>} */
    let environment = {};
    const results = await Promise.allSettled([
      line(async () => {
        environment = await prepareEngines(context, engines);
      }),
      line(async () => {
        await ensureWorkspace(context);
        await ensureBuild(context);
      }),
    ]);
    outside.throwIfAborted();
    failed.signal.throwIfAborted();
    const rejected = results.find((result) => result.status === 'rejected');
    if (rejected !== undefined) throw rejected.reason;
    return environment;
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
