import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installForUsers } from '@doompi-sandbox/testkit';
import { build } from 'tsup';

const SOURCE = '@doompi-sandbox/source';

export interface InstalledDemo {
  readonly node: string;
  /** The demo, for `node`; it runs the built command beside it. */
  readonly file: string;
}

/** The demo where every user of the machine can run it: one file, beside the built command. */
export const installDemo = async (): Promise<InstalledDemo> => {
  const { directory, node } = await installForUsers();
  await build({
    config: false,
    silent: true,
    entry: [fileURLToPath(new URL('../../demo/main.ts', import.meta.url))],
    outDir: join(directory, 'demo'),
    format: 'esm',
    target: 'node22.19',
    platform: 'node',
    splitting: false,
    removeNodeProtocol: false,
    noExternal: [/^/],
    // Native, and of no use to the demo.
    external: ['@lydell/node-pty'],
    treeshake: true,
    banner: {
      js: "import { createRequire as bundledRequire } from 'node:module';\nconst require = bundledRequire(import.meta.url);",
    },
    esbuildOptions: (esbuild) => {
      esbuild.conditions = [SOURCE];
    },
  });
  return { node, file: join(directory, 'demo/main.js') };
};
