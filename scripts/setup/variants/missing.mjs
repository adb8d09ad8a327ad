import { SetupFailure } from '../failure.mjs';
import { isExcused } from './excuses.mjs';

/** @typedef {import('./record.mjs').Variant} Variant */

/**
 * The record of a variant that cannot be used here.
 * @param {Variant['id']} id
 * @param {string} reason
 * @returns {Variant}
 */
export const missingVariant = (id, reason) => ({
  id,
  engine: id.startsWith('podman') ? 'podman' : 'docker',
  environment: {},
  unavailable: reason,
  ...(isExcused(reason) ? { excused: /** @type {const} */ (true) } : {}),
});

/**
 * Where `CI` is set every engine that could be there must be.
 * @param {readonly Variant[]} variants
 * @param {boolean} isCi
 * @throws {SetupFailure}
 */
export const refuseMissing = (variants, isCi) => {
  const refused = variants.filter(({ unavailable, excused }) => unavailable !== undefined && excused !== true);
  if (!isCi || refused.length === 0) return;
  throw new SetupFailure(`Engines are missing where CI is set: ${refused.map(({ id }) => id).join(', ')}`, {
    why: refused.map(({ id, unavailable }) => `${id}: ${unavailable}`).join('\n'),
    next: 'Make them possible on this machine, or excuse them in scripts/setup/variants/excuses.mjs.',
  });
};
