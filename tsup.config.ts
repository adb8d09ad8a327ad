import { library, type LibraryConfig } from './tsup.base.ts';

/** The aggregate composes and re-exports; its packages stay external, so that each is loaded once. */
const config: LibraryConfig = library({
  entry: ['src/index.ts', 'src/sandbox-harness.ts', 'src/broker.ts', 'src/apiContracts.ts', 'src/extensions/pi.ts', 'src/bin.ts'],
});

export default config;
