import { constants } from 'node:fs';
import { lstat, mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { LaunchError } from '../error.ts';
import { outermost } from './outermost.ts';

/** A path below the repository, relative to it, that cannot have a mount of its own. */
export interface BlockedMount {
  readonly path: string;
  readonly reason: 'symbolic-link' | 'not-a-directory';
}

/** What the system says of a place that this user cannot write. */
const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS']);

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const unusable = (root: string, path: string, cause: unknown): LaunchError => {
  const full = join(root, path);
  const code = codeOf(cause) ?? 'unknown cause';
  const message = NOT_WRITABLE.has(code)
    ? `${full} cannot be made (${code}): you cannot write there, and neither could the agent. Make the repository writable and start again`
    : `${full} cannot be used as a mount point (${code}): it must be a directory, and no part of it a symbolic link. Remove or rename it and start again`;
  return new LaunchError('LAUNCH_MOUNT_POINT_UNUSABLE', message, { path: full }, { cause });
};

/** Looks at each directory on the way to a mount point. Undefined when it is one, or can become one. */
const problemOf = async (root: string, path: string): Promise<BlockedMount['reason'] | undefined> => {
  const parts = path.split('/');
  for (const [index] of parts.entries()) {
    const status = await lstat(join(root, ...parts.slice(0, index + 1))).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw unusable(root, path, error);
    });
    if (status === undefined) return undefined;
    if (status.isSymbolicLink()) return 'symbolic-link';
    if (!status.isDirectory()) return 'not-a-directory';
  }
  return undefined;
};

/**
 * Those of these paths that cannot be mounted on. A path below another one shares its fate: it is a directory of that mount.
 * @throws LaunchError LAUNCH_MOUNT_POINT_UNUSABLE for one that cannot be looked at
 */
export const findBlockedMounts = async (root: string, paths: readonly string[]): Promise<readonly BlockedMount[]> => {
  const found = await Promise.all(outermost(paths).map(async (path) => ({ path, reason: await problemOf(root, path) })));
  return found.flatMap(({ path, reason }) =>
    reason === undefined
      ? []
      : paths.filter((each) => each === path || each.startsWith(`${path}/`)).map((each) => ({ path: each, reason })),
  );
};

const openDirectory = async (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);

/** A directory's entry, reached through the open directory and not through its path, which may change meanwhile (proc(5), `/proc/self/fd`). */
const entryOf = ({ fd }: FileHandle, name: string): string => `/proc/self/fd/${fd}/${name}`;

/** Opens a subdirectory, made when it is not there; never follows a link. */
const enter = async (directory: FileHandle, name: string): Promise<FileHandle> => {
  const path = entryOf(directory, name);
  try {
    return await openDirectory(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  await mkdir(path).catch((error: unknown) => {
    // Another session of the repository was faster.
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  return openDirectory(path);
};

/**
 * Makes the directories of a mount point below the repository, as the person: an engine would make them as root. They stay, empty, when
 * the session has ended: another session of the repository may be mounted on them.
 * @throws LaunchError LAUNCH_MOUNT_POINT_UNUSABLE, also when a part of the path has become a symbolic link since it was looked at
 */
export const makeMountPoint = async (root: string, path: string): Promise<void> => {
  const opened: FileHandle[] = [];
  try {
    let directory = await openDirectory(root);
    opened.push(directory);
    for (const name of path.split('/')) {
      directory = await enter(directory, name);
      opened.push(directory);
    }
  } catch (cause) {
    throw unusable(root, path, cause);
  } finally {
    await Promise.all(opened.map(async (handle) => handle.close()));
  }
};
