import { DOCKER, runEngine } from '../engine/engine-command.mjs';
import { SetupFailure } from '../failure.mjs';
import { buildStandIn } from './stand-in.mjs';

const DEFAULT_BASE_IMAGE = 'node:24-bookworm-slim';

/** The image on which the sandbox image is built. */
export const baseImage = (/** @type {import('../setup.mjs').Context['env']} */ env) => {
  const asked = env['DOOMPI_SANDBOX_BASE_IMAGE'] ?? '';
  return asked === '' ? DEFAULT_BASE_IMAGE : asked;
};

/** A registry that works answers well within it. Milliseconds. */
const REGISTRY_DEADLINE = 60_000;
const DOWNLOAD_DEADLINE = 900_000;

/** Words of a registry that did answer. */
const REGISTRY_ANSWERED =
  /toomanyrequests|rate limit|unauthorized|denied|manifest unknown|not found|no matching manifest|no space left/i;

/**
 * Pulls within deadlines: a registry must answer soon, a download may take its time.
 * @param {import('../setup.mjs').Context} context
 * @param {import('../engine/engine-command.mjs').EngineCommand} engine
 * @param {string} reference
 * @returns {Promise<{ ok: true } | { ok: false, answered: boolean, why: string }>}
 */
const pull = async (context, engine, reference) => {
  let downloading = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const slow = new Promise((/** @type {(value: 'slow') => void} */ resolve) => {
    timer = setTimeout(() => resolve('slow'), REGISTRY_DEADLINE);
  });
  const stop = new AbortController();
  const onLine = (/** @type {string} */ line) => {
    if (!/Pulling fs layer|Already exists|Downloading/.test(line) || downloading) return;
    downloading = true;
    clearTimeout(timer);
    context.report.note(`base image: the registry answered, downloading ${reference}`);
  };
  const pulled = runEngine(context, engine, ['pull', reference], { timeoutMs: DOWNLOAD_DEADLINE, onLine, signal: stop.signal });
  const result = await Promise.race([pulled, slow]);
  clearTimeout(timer);
  if (result === 'slow') {
    stop.abort();
    await pulled;
    return { ok: false, answered: false, why: `no registry answered within ${REGISTRY_DEADLINE / 1000} s` };
  }
  if (result.ok) return { ok: true };
  const why = result.timedOut ? `the download took longer than ${DOWNLOAD_DEADLINE / 60_000} minutes` : result.tail;
  return { ok: false, answered: downloading || REGISTRY_ANSWERED.test(why), why };
};

/**
 * The base image in an engine: there, pulled, or, where no registry answers, a stand-in. Needs the engine.
 * @param {import('../setup.mjs').Context} context
 * @param {import('../engine/engine-command.mjs').EngineCommand} [engine]
 */
export const ensureBaseImage = async (context, engine = DOCKER) => {
  const { env, report } = context;
  const asked = env['DOOMPI_SANDBOX_BASE_IMAGE'] ?? '';
  const reference = baseImage(env);
  const found = await runEngine(context, engine, ['image', 'inspect', '--format', '{{.Id}}', reference], { timeoutMs: 20_000 });
  if (found.ok) {
    report.skip(`base image: ${reference} is there`);
    return;
  }
  const pulled = await report.step(
    `base image: ${engine.argv.at(-1)} pull ${reference}`,
    () => pull(context, engine, reference),
    (result) => (result.ok ? `base image: ${reference} pulled` : `base image: ${reference} cannot be pulled`),
  );
  if (pulled.ok) return;
  if (asked !== '')
    throw new SetupFailure(`The base image ${reference} cannot be pulled`, {
      why: pulled.why,
      next: 'Check DOOMPI_SANDBOX_BASE_IMAGE, or unset it to use the default.',
    });
  if (pulled.answered)
    throw new SetupFailure(`The base image ${reference} cannot be pulled, though a registry answered`, {
      why: pulled.why,
      next: 'Try again later, log in (docker login), or name another image in DOOMPI_SANDBOX_BASE_IMAGE.',
    });
  await buildStandIn(context, engine, reference, pulled.why);
};
