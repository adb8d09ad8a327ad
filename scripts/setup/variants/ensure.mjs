import { canInstall } from '../engine/apt.mjs';
import { SetupFailure } from '../failure.mjs';
import { baseImage } from '../image/ensure.mjs';
import { emptyAfterBoot } from './boot.mjs';
import { prepareOwnDaemon, prepareRootlessDocker } from './daemons.mjs';
import { gatherVariantFacts } from './facts.mjs';
import { missingVariant, refuseMissing } from './missing.mjs';
import { RUNTIME } from './places.mjs';
import { planVariants } from './plan.mjs';
import { preparePodman, prepareRootlessPodman } from './podman.mjs';
import { makeReady } from './ready.mjs';
import { writeRecord } from './record.mjs';
import { findTestUser } from './user.mjs';

/** @typedef {import('./record.mjs').Variant} Variant */
/** @typedef {import('../setup.mjs').Context} Context */

/** What points a person's CLI to the docker that it takes. */
const DOCKER_VARIABLES = ['DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_TLS_VERIFY', 'DOCKER_CERT_PATH'];

/** @returns {Variant} */
const mainDocker = (/** @type {Context['env']} */ env) => {
  /** @type {Record<string, string>} */
  const environment = {};
  for (const name of DOCKER_VARIABLES) if (env[name] !== undefined) environment[name] = env[name];
  return { id: 'docker', engine: 'docker', environment };
};

/** @param {Context} context @param {Variant['id']} id @param {string} reference @returns {Promise<Variant>} */
const prepare = (context, id, reference) => {
  const user = findTestUser();
  if (id === 'podman') return preparePodman(context, reference);
  if (id === 'docker-userns' || id === 'docker-gvisor') return prepareOwnDaemon(context, id, reference, user);
  if (user === undefined) throw new SetupFailure('the test user is not there');
  return id === 'podman-rootless'
    ? prepareRootlessPodman(context, reference, user)
    : prepareRootlessDocker(context, reference, user);
};

/** @param {Context} context @param {import('./plan.mjs').VariantPlan} plan @param {string} reference @returns {Promise<Variant>} */
const attempt = async (context, { id, unavailable }, reference) => {
  if (unavailable !== undefined) return missingVariant(id, unavailable);
  try {
    return await prepare(context, id, reference);
  } catch (error) {
    // When set-up ends, its programs fail for that reason and no other.
    context.signal.throwIfAborted();
    if (!(error instanceof SetupFailure)) throw error;
    return missingVariant(id, [error.message, error.why].filter((text) => text !== '').join(': '));
  }
};

/**
 * Every engine that tests run on, each with the base image, written down for testkit. Needs docker and the base image.
 * @param {Context} context
 * @throws {SetupFailure} where `CI` is set and one is missing that could be there
 */
export const ensureVariants = async (context) => {
  const { root, env, report } = context;
  if (canInstall()) emptyAfterBoot(RUNTIME);
  const plans = await makeReady(context, planVariants(await gatherVariantFacts(context)));
  const reference = baseImage(env);
  const variants = [mainDocker(env), ...(await Promise.all(plans.map((plan) => attempt(context, plan, reference))))];
  writeRecord(root, variants);
  const there = variants.filter(({ unavailable }) => unavailable === undefined).map(({ id }) => id);
  report.note(`engines: ready for tests: ${there.join(', ')}`);
  for (const { id, unavailable } of variants)
    if (unavailable !== undefined) report.note(`engines: no ${id}: ${unavailable.split('\n')[0]}`);
  refuseMissing(variants, (env['CI'] ?? '') !== '');
};
