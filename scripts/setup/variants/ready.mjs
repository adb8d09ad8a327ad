import { chmodSync } from 'node:fs';
import { needRoom } from '../disk.mjs';
import { aptInstall } from '../engine/apt.mjs';
import { Refusal, SetupFailure } from '../failure.mjs';
import { changesMachine, describeVariants, packagesOf } from './plan.mjs';
import { createTestUser } from './user.mjs';

/** @typedef {import('./plan.mjs').VariantPlan} VariantPlan */

/** For the packages, and for one base image in each of five engines. Megabytes. */
const ROOM = 4000;

/**
 * Asks once for all that the plans change, and does what they share. A plan that may not or cannot be carried out then says why:
 * a person who says no still gets the tests of the engines that are there.
 * @param {import('../setup.mjs').Context} context
 * @param {readonly VariantPlan[]} plans
 * @returns {Promise<readonly VariantPlan[]>}
 */
export const makeReady = async (context, plans) => {
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
    context.signal.throwIfAborted();
    if (!(error instanceof SetupFailure)) throw error;
    const why = error instanceof Refusal ? 'set-up was not allowed to prepare it' : error.message;
    context.report.note(`engines: ${error.text.replaceAll('\n', ' ')}`);
    return plans.map((plan) => (plan.unavailable === undefined && changesMachine(plan) ? { ...plan, unavailable: why } : plan));
  }
};
