import { basename, join } from 'node:path';
import { publishedExports, publishedPackages } from './packages.mjs';

/** @typedef {import('../setup/run.mjs').Run} Run */

/**
 * Packs every published package as it would be published.
 * @param {{ root: string, must: (file: string, args: readonly string[], options?: import('../setup/run.mjs').RunOptions) => Promise<string> }} context
 * @param {string} destination
 * @returns {Promise<Map<string, string>>} tarball by package name
 */
export const packAll = async ({ root, must }, destination) => {
  /** @type {Map<string, string>} */
  const tarballs = new Map();
  for (const { name, directory } of publishedPackages(root)) {
    const packed = JSON.parse(await must('pnpm', ['pack', '--json', '--pack-destination', destination], { cwd: directory }));
    tarballs.set(name, join(destination, basename(packed.filename)));
  }
  return tarballs;
};

/**
 * publint and attw on each tarball: what a person would get, not what lies in the workspace.
 * @param {Parameters<typeof packAll>[0]} context
 * @param {ReadonlyMap<string, string>} tarballs
 */
export const lintTarballs = async ({ root, must }, tarballs) => {
  for (const { name, manifest } of publishedPackages(root)) {
    const tarball = tarballs.get(name) ?? '';
    await must('publint', [tarball, '--strict']);
    const files = publishedExports(manifest).filter(({ subpath, types }) => types === undefined && subpath !== './package.json');
    const excluded = files.length === 0 ? [] : ['--exclude-entrypoints', ...files.map(({ subpath }) => subpath)];
    await must('attw', [tarball, '--profile', 'esm-only', '--no-emoji', ...excluded]);
  }
};
