import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Workspace packages resolve to their sources, so no build is needed before a test. */
const SOURCE = '@doompi-sandbox/source';

const config: ViteUserConfig = defineConfig({
  resolve: { conditions: [SOURCE] },
  ssr: { resolve: { conditions: [SOURCE, 'node', 'import', 'default'] } },
  test: {
    include: ['test/**/*.test.ts'],
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    retry: 0,
  },
});

export default config;
