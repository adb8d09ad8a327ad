import { defineConfig, type Options } from 'tsup';

export type LibraryConfig = ReturnType<typeof defineConfig>;

/** One build for every library: ESM for the Node floor, declarations beside it, dependencies left external. */
export const library = (options: Pick<Options, 'entry' | 'noExternal' | 'dts'>): LibraryConfig =>
  defineConfig({ format: 'esm', target: 'node22.19', platform: 'node', dts: true, clean: true, splitting: false, ...options });
