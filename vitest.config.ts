import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config';
import base from './vitest.base.ts';

/** Sessions on a real engine: the first one on a machine builds the image. */
const config: ViteUserConfig = mergeConfig(base, defineConfig({ test: { testTimeout: 60_000, hookTimeout: 600_000 } }));

export default config;
