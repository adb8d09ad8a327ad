import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Absolute path of the built Pi extension: one file that imports `node:` modules only.
 * Found through the package's name, so it also holds in a caller that was bundled.
 */
export const extensionEntryPath = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@doompi-sandbox/extension/package.json')), 'dist', 'pi.js');
