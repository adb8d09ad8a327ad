import type { Options } from 'tsup';

export type LibraryConfig = Options;

/** Workspace packages that are bundled come from their sources: a package builds alone, without those it inlines. */
const SOURCE = '@doompi-sandbox/source';

/** One build for every library: ESM for the Node floor, declarations beside it, dependencies left external. */
export const library = (options: Pick<Options, 'entry' | 'noExternal' | 'dts'>): LibraryConfig => ({
  format: 'esm',
  target: 'node22.19',
  platform: 'node',
  dts: true,
  clean: true,
  splitting: false,
  // tsup strips it by default; some of Node's modules are there under that name only.
  removeNodeProtocol: false,
  esbuildOptions: (esbuild) => {
    esbuild.conditions = [SOURCE];
  },
  ...options,
});
