import { chmodSync } from 'node:fs';
import { needRoom } from '../disk.mjs';
import { aptInstall, canInstall } from '../engine/apt.mjs';
import { Refusal, SetupFailure } from '../failure.mjs';
import { baseImage } from '../image/ensure.mjs';
import { emptyAfterBoot } from './boot.mjs';
import { prepareOwnDaemon, prepareRootlessDocker } from './daemons.mjs';
import { isExcused } from './excuses.mjs';
import { gatherVariantFacts } from './facts.mjs';
import { RUNTIME } from './places.mjs';
import { changesMachine, describeVariants, packagesOf, planVariants } from './plan.mjs';
import { preparePodman, prepareRootlessPodman } from './podman.mjs';
import { writeRecord } from './record.mjs';
import { createTestUser, findTestUser } from './user.mjs';

/** @typedef {import('./record.mjs').Variant} Variant */
/** @typedef {import('./plan.mjs').VariantPlan} VariantPlan */
/** @typedef {import('../setup.mjs').Context} Context */

/** For the packages, and for one base image in each of five engines. Megabytes. */
const ROOM = 4000;

/**
 * Asks once for all that the plans change, and does what they share. The plans that it may not carry out say why.
 * @param {Context} context
 * @param {readonly VariantPlan[]} plans
 * @returns {Promise<readonly VariantPlan[]>}
 */
const makeReady = async (context, plans) => {
  const intention = describeVariants(plans);
  if (intention === '') return plans;
  try {
    await context.consent(`${intention} (for tests on every engine)`);
    await needRoom('/var/lib', ROOM, 'the test engines');
    const packages = packagesOf(plans);
    if (packages.length > 0) await aptInstall(context, packages);
    if (plans.some(({ createUser }) => createUser)) await createTestUser(context);
    if (plans.some(({ openTun }) => openTun)) chmodSync('/dev/net/tun', 0o666);
    return plans;
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    // A person who says no still gets the tests of the engines that are there.
    const why = error instanceof Refusal ? `not allowed: ${error.message}` : error.message;
    context.report.note(`engines: ${error.text.split('\n').slice(0, 2).join(' ')}`);
    return plans.map((plan) => (plan.unavailable === undefined && changesMachine(plan) ? { ...plan, unavailable: why } : plan));
  }
};

/** @param {Context} context @param {VariantPlan['id']} id @param {string} reference @returns {Promise<Variant>} */
const prepare = (context, id, reference) => {
  const user = findTestUser();
  if (id === 'podman') return preparePodman(context, reference);
  if (id === 'docker-userns' || id === 'docker-gvisor') return prepareOwnDaemon(context, id, reference, user);
  if (user === undefined) throw new SetupFailure('the test user is not there');
  return id === 'podman-rootless'
    ? prepareRootlessPodman(context, reference, user)
    : prepareRootlessDocker(context, reference, user);
};

/** @param {Context} context @param {VariantPlan} plan @param {string} reference @returns {Promise<Variant>} */
const attempt = async (context, { id, unavailable }, reference) => {
  const missing = (/** @type {string} */ reason) => {
    /** @type {Variant} */
    const variant = { id, engine: id.startsWith('podman') ? 'podman' : 'docker', environment: {}, unavailable: reason };
    return isExcused(reason) ? { ...variant, excused: /** @type {const} */ (true) } : variant;
  };
  if (unavailable !== undefined) return missing(unavailable);
  try {
    return await prepare(context, id, reference);
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    return missing([error.message, error.why].filter((text) => text !== '').join(': '));
  }
};

/** What the docker of this machine needs: nothing, or what points the person's CLI to it. @returns {Variant} */
const mainDocker = (/** @type {Context['env']} */ env) => ({
  id: 'docker',
  engine: 'docker',
  environment: Object.fromEntries(
    ['DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_TLS_VERIFY', 'DOCKER_CERT_PATH'].flatMap((name) =>
      env[name] === undefined ? [] : [[name, env[name]]],
    ),
  ),
});

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
  const missing = variants.filter(({ unavailable }) => unavailable !== undefined);
  const there = variants.filter((variant) => !missing.includes(variant)).map(({ id }) => id);
  report.note(`engines: ready for tests: ${there.join(', ')}`);
  for (const { id, unavailable } of missing) report.note(`engines: no ${id}: ${unavailable?.split('\n')[0]}`);
  const refused = missing.filter(({ excused }) => excused !== true);
  if ((env['CI'] ?? '') !== '' && refused.length > 0)
    throw new SetupFailure(`Engines are missing where CI is set: ${refused.map(({ id }) => id).join(', ')}`, {
      why: refused.map(({ id, unavailable }) => `${id}: ${unavailable}`).join('\n'),
      next: 'Make them possible on this machine, or excuse them in scripts/setup/variants/excuses.mjs.',
    });
};
