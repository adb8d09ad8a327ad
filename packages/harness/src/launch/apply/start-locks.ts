import { isAbsolute, join } from 'node:path';
import { lockDirectory } from '../image/session-image.ts';
import type { Environment } from '../settings/settings.ts';

/**
 * Directory of the locks by which sessions start in turn: in the person's runtime directory (`$XDG_RUNTIME_DIR`), which can be written
 * also when the home cannot, else beside the locks of builds.
 */
export const startLocks = (environment: Environment): string | undefined => {
  const runtime = environment['XDG_RUNTIME_DIR'];
  return runtime !== undefined && isAbsolute(runtime) ? join(runtime, 'doompi-sandbox', 'locks') : lockDirectory(environment);
};
