import license from 'esbuild-plugin-license';
import { library, type LibraryConfig } from './tsup.base.ts';

const notices: Parameters<typeof license>[0]['thirdParty']['output']['template'] = (packages) =>
  packages
    .filter(({ packageJson }) => !packageJson.name.startsWith('@doompi-sandbox/'))
    .map(({ packageJson, licenseText }) => `${packageJson.name} ${packageJson.version}\n\n${licenseText.trim()}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);

/** The exports compose and re-export; their packages stay external, so that each is loaded once in a program that uses them. */
const exports = library({
  entry: ['src/index.ts', 'src/sandbox-harness.ts', 'src/broker.ts', 'src/apiContracts.ts', 'src/extensions/pi.ts'],
});

/** The command is one file, because each file that Node opens delays every launch. The licences of what is in it lie beside it. */
const command: LibraryConfig = {
  entry: ['src/bin.ts'],
  format: 'esm',
  target: 'node22.19',
  platform: 'node',
  splitting: false,
  removeNodeProtocol: false,
  noExternal: [/^/],
  // Bundled CommonJS modules require Node's own modules.
  banner: {
    js: "import { createRequire as bundledRequire } from 'node:module';\nconst require = bundledRequire(import.meta.url);",
  },
  esbuildPlugins: [license({ banner: '', thirdParty: { output: { file: 'third-party-licenses.txt', template: notices } } })],
};

const config: LibraryConfig[] = [exports, command];

export default config;
