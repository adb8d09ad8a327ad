import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Manifest
 * @property {Record<string, string>} [bin]
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {Record<string, unknown>} exports
 * @property {{ exports?: Record<string, unknown> }} [publishConfig]
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [peerDependencies]
 */

/** @typedef {{ name: string, folder: string, directory: string, manifest: Manifest }} Package */

/**
 * Every package of the workspace, the aggregate last.
 * @param {string} root
 * @returns {Package[]}
 */
export const workspacePackages = (root) =>
  [...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`), '.']
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => {
      const directory = join(root, folder);
      /** @type {Manifest} */
      const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
      return { name: manifest.name, folder, directory, manifest };
    });

/** The packages that people can install. */
export const publishedPackages = (/** @type {string} */ root) =>
  workspacePackages(root).filter(({ manifest }) => manifest.private !== true);

/**
 * Names of our packages that come along when `name` is installed, itself first.
 * @param {readonly Package[]} packages
 * @param {string} name
 * @param {Set<string>} [seen]
 * @returns {string[]}
 */
export const withDependencies = (packages, name, seen = new Set()) => {
  if (seen.has(name)) return [...seen];
  seen.add(name);
  const own = packages.find((candidate) => candidate.name === name);
  for (const dependency of Object.keys(own?.manifest.dependencies ?? {}))
    if (packages.some((candidate) => candidate.name === dependency)) withDependencies(packages, dependency, seen);
  return [...seen];
};

/**
 * What a published package exports: subpaths with the files behind them. A target without `types` is a file to be copied, not a module to be imported.
 * @param {Manifest} manifest
 * @returns {{ subpath: string, file: string, types: string | undefined }[]}
 */
export const publishedExports = (manifest) =>
  Object.entries(manifest.publishConfig?.exports ?? manifest.exports).map(([subpath, target]) => {
    if (typeof target === 'string') return { subpath, file: target, types: undefined };
    const { default: file, types } = /** @type {{ default: string, types?: string }} */ (target);
    return { subpath, file, types };
  });
