import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { imageError } from './error.ts';

const { resolve } = createRequire(import.meta.url);

const manifestOf = (name: string): string => resolve(`${name}/package.json`);

/** This package's own `assets` directory, also when its code was bundled into another file. */
export const assetsDirectory = (): string => join(dirname(manifestOf('@doompi-sandbox/image')), 'assets');

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

const readManifest = async (name: string): Promise<Manifest> => JSON.parse(await readFile(manifestOf(name), 'utf8')) as Manifest;

/** This package's own version. */
export const ownVersion = async (): Promise<string> => (await readManifest('@doompi-sandbox/image')).version;

/**
 * The built file behind a subpath of a package: what its `exports` name for `default`, whatever conditions this process was started
 * with. An image can use nothing but built JavaScript.
 */
export const builtFile = async (name: string, subpath: string): Promise<string> => {
  const target = (await readManifest(name)).exports[subpath];
  if (target === undefined) throw new TypeError(`${name} has no subpath ${subpath}`);
  return join(dirname(manifestOf(name)), typeof target === 'string' ? target : target.default);
};

/** Bytes of a built file. */
export const readBundle = async (file: string): Promise<Uint8Array> =>
  readFile(file).catch((cause: unknown) => {
    throw imageError(
      'IMAGE_BUNDLE_MISSING',
      `${file} is not there. In a checkout, build the packages first: pnpm build.`,
      { file },
      { cause },
    );
  });
