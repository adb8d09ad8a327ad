import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './settings.ts';

/** Default below the home directory of each variable (XDG Base Directory Specification). */
const DEFAULTS = { XDG_CACHE_HOME: '.cache', XDG_STATE_HOME: '.local/state' } as const;

/** A user without an entry in passwd(5) makes `userInfo` throw. */
const homeOfUser = (): string => {
  try {
    return userInfo().homedir;
  } catch {
    return '';
  }
};

/**
 * The person's base directory for files of one kind; undefined for one who has no home. A relative path counts as none, as the
 * specification wants it.
 */
export const baseDirectory = (environment: Environment, variable: keyof typeof DEFAULTS): string | undefined => {
  const homes = [environment['HOME'] ?? '', homeOfUser()].map((home) => join(home, DEFAULTS[variable]));
  return [environment[variable], ...homes].find((path) => path?.startsWith('/'));
};
