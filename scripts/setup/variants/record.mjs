import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * An engine as set-up prepared it, for tests and demo.
 * @typedef {object} Variant
 * @property {VariantId} id
 * @property {'docker' | 'podman'} engine
 * @property {{ name: string, uid: number, gid: number, home: string }} [user] whose engine it is; absent: the user of set-up
 * @property {Readonly<Record<string, string>>} environment what the engine's command needs beyond PATH
 * @property {readonly string[]} [runtimes] names for `--runtime` beside the default
 * @property {string} [unavailable] why it cannot be used here
 * @property {true} [excused] its absence is accepted where `CI` is set
 */

/** @typedef {'docker' | 'podman' | 'podman-rootless' | 'docker-rootless' | 'docker-userns' | 'docker-gvisor'} VariantId */

/**
 * Writes what testkit's `engineVariant` reads. Replaced in one step: a test sees the old or the new one.
 * @param {string} root
 * @param {readonly Variant[]} variants
 */
export const writeRecord = (root, variants) => {
  const file = join(root, '.state/engines.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify({ variants }, undefined, 2)}\n`);
  renameSync(`${file}.new`, file);
};
