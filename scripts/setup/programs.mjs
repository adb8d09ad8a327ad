import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Where Debian keeps daemons and firewall tools; a person's PATH often lacks it. */
const SYSTEM_DIRECTORIES = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** A PATH that finds system programs as well. */
export const systemPath = (/** @type {string} */ path = '') =>
  [...new Set([...path.split(delimiter).filter((entry) => isAbsolute(entry)), ...SYSTEM_DIRECTORIES])].join(delimiter);

/**
 * Absolute path of a program, or undefined. Relative PATH entries are passed over.
 * @param {string} name
 * @param {string | undefined} path
 * @returns {string | undefined}
 */
export const findProgram = (name, path) =>
  (path ?? '')
    .split(delimiter)
    .filter((entry) => isAbsolute(entry))
    .map((entry) => join(entry, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    });
