import type { Options } from 'tsup';

/**
 * `pi` is copied into images as one file, so everything it imports is bundled into it. The contract is taken from its
 * sources, so that this package builds alone.
 */
const config: Options = {
  entry: ['src/index.ts', 'src/pi.ts'],
  format: 'esm',
  target: 'node22.19',
  platform: 'node',
  dts: true,
  clean: true,
  splitting: false,
  removeNodeProtocol: false,
  noExternal: [/^@doompi-sandbox\//],
  esbuildOptions: (options) => {
    options.conditions = ['@doompi-sandbox/source'];
  },
};

export default config;
