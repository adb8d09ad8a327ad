import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, sep } from 'node:path';

export interface FindProgramOptions {
  /** Value of PATH. */
  readonly path: string | undefined;
  /** Directories that are not trusted: a PATH entry at or below one of them is skipped, by its own path and by its real path. */
  readonly exclude?: readonly string[];
}

const realPath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

const isWithin = (directory: string, path: string): boolean => {
  const below = relative(directory, path);
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below));
};

/** Whether a path lies at or below one of the directories, by its own path or by its real path. */
export const isInside = (directories: readonly string[], path: string): boolean =>
  directories
    .flatMap((directory) => [directory, realPath(directory)])
    .some((directory) => isWithin(directory, path) || isWithin(directory, realPath(path)));

/**
 * Entries of PATH that may be searched: absolute ones outside the excluded directories. A relative or empty entry means the
 * working directory, which may be a repository that was just cloned.
 */
export const trustedPathEntries = ({ path = '', exclude = [] }: FindProgramOptions): string[] =>
  path.split(delimiter).filter((entry) => isAbsolute(entry) && !isInside(exclude, entry));

const isExecutableFile = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** Absolute path of the first executable file of that name on PATH, or undefined. Reads the file system, starts nothing. */
export const findProgram = (name: string, options: FindProgramOptions): string | undefined => {
  if (name === '' || name.includes('/') || name.includes(sep))
    throw new TypeError(`name: expected a file name without a directory, got ${JSON.stringify(name)}`);
  return trustedPathEntries(options)
    .map((directory) => join(directory, name))
    .find(isExecutableFile);
};
