import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './settings.ts';

/** Default below the home directory of each variable (XDG Base Directory Specification). */
const DEFAULTS = { XDG_CACHE_HOME: '.cache', XDG_STATE_HOME: '.local/state' } as const;

/** The person's base directory for files of one kind. A relative path counts as none, as the specification wants it. */
export const baseDirectory = (environment: Environment, variable: keyof typeof DEFAULTS): string => {
  const below = DEFAULTS[variable];
  const absolute = [environment[variable], join(environment['HOME'] ?? '', below)].find((path) => path?.startsWith('/'));
  return absolute ?? join(userInfo().homedir, below);
};
