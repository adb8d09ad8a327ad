import { DOCKER, ENGINE_DIRECTORY, runEngine } from '../engine/engine-command.mjs';
import { SetupFailure } from '../failure.mjs';

/** @typedef {import('../engine/engine-command.mjs').EngineCommand} EngineCommand */
/** @typedef {Pick<import('../setup.mjs').Context, 'run'>} Runner */

/** podman leaves the algorithm away. */
const bareId = (/** @type {string} */ id) => id.trim().replace(/^sha256:/, '');

/** @param {Runner} context @param {EngineCommand} command @param {string} reference @returns {Promise<string | undefined>} */
const imageId = async (context, command, reference) => {
  const shown = await runEngine(context, command, ['image', 'inspect', '--format', '{{.Id}}', reference], { timeoutMs: 30_000 });
  return shown.ok ? bareId(shown.stdout) : undefined;
};

/**
 * Brings an image of the docker that the CLI takes into another engine, through a pipe. Skipped when it is there.
 * @param {Pick<import('../setup.mjs').Context, 'run' | 'report'>} context
 * @param {string} name of the other engine
 * @param {EngineCommand} command
 * @param {string} reference
 * @returns {Promise<boolean>} whether it was brought
 */
export const ensureImage = async (context, name, command, reference) => {
  const wanted = await imageId(context, DOCKER, reference);
  if (wanted === undefined) throw new SetupFailure(`docker has no image ${reference}`);
  if ((await imageId(context, command, reference)) === wanted) return false;
  await context.report.step(`${name}: loading ${reference}`, async () => {
    // The engine's own endpoint is set behind the pipe: before it is the docker that everybody uses.
    const entries = Object.entries(command.env);
    const removed = entries.flatMap(([variable, value]) => (value === undefined ? ['-u', variable] : []));
    const set = entries.flatMap(([variable, value]) => (value === undefined ? [] : [`${variable}=${value}`]));
    const script = 'set -o pipefail; docker save "$1" | { shift; env "$@" load; }';
    const argv = ['-c', script, 'load', reference, ...removed, ...set, ...command.argv];
    const loaded = await context.run('bash', argv, { cwd: ENGINE_DIRECTORY });
    if (!loaded.ok) throw new SetupFailure(`${reference} cannot be loaded into ${name}`, { why: loaded.tail });
  });
  return true;
};

/**
 * Sees a container of the image run.
 * @param {Runner} context
 * @param {EngineCommand} command
 * @param {string} reference
 * @param {readonly string[]} [options] of `run`
 */
export const ensureRuns = async (context, command, reference, options = []) => {
  const flags = ['--rm', '--network=none', '--label=doompi.sandbox.test=set-up', ...options];
  const seen = await runEngine(context, command, ['run', ...flags, reference, 'node', '--version'], { timeoutMs: 60_000 });
  if (!seen.ok || !/^v\d/m.test(seen.stdout)) throw new SetupFailure('No container starts', { why: seen.tail });
};
