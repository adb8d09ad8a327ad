import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, sep } from 'node:path';
import { SESSION_DIRECTORY } from '@doompi-sandbox/contract';
import { BRIDGE_FILE, HOME_DIRECTORY } from '@doompi-sandbox/image';
import { LaunchError } from '../../error.ts';

export interface Repository {
  /** Real path of the directory that is mounted. */
  readonly root: string;
  /** Real path of the working directory, inside `root`. */
  readonly cwd: string;
  /** Dev container configuration relative to `root`, when there is one. */
  readonly devcontainer: string | undefined;
}

const DEVCONTAINER_FILES = ['.devcontainer/devcontainer.json', '.devcontainer.json'];

/** Where the container has what is ours: a repository mounted over one of them would hide it, or be hidden. */
const OURS = [dirname(BRIDGE_FILE), HOME_DIRECTORY, SESSION_DIRECTORY];

const isWithin = (path: string, directory: string): boolean => path === directory || path.startsWith(directory + sep);

/** Owner of what is at a path; undefined when there is nothing that can be seen. */
const ownerOf = async (path: string): Promise<number | undefined> =>
  lstat(path).then(
    (status) => status.uid,
    () => undefined,
  );

/**
 * Nearest directory at or above `cwd` that holds a `.git` of the person's, else `cwd` itself. Looks at names and owners only: running git in
 * a directory that was just cloned would obey its configuration.
 * @param cwd - absolute path
 * @param uid - the person's; default this process'. A `.git` that belongs neither to this user nor to the owner of `cwd` is passed over:
 * in a directory that others can write, like `/tmp`, they may have put it there.
 */
export const findRepositoryRoot = async (cwd: string, uid: number = process.getuid?.() ?? -1): Promise<string> => {
  const owners = new Set([uid, await ownerOf(cwd)]);
  for (let directory = cwd; directory !== dirname(directory); directory = dirname(directory)) {
    const owner = await ownerOf(join(directory, '.git'));
    if (owner !== undefined && owners.has(owner)) return directory;
  }
  return cwd;
};

const unusable = (path: string, message: string, cause?: unknown): LaunchError =>
  new LaunchError('LAUNCH_REPOSITORY_UNUSABLE', message, { path }, cause === undefined ? undefined : { cause });

const realDirectory = async (path: string, role: string): Promise<string> => {
  if (!isAbsolute(path)) throw new TypeError(`${role} must be an absolute path, not ${JSON.stringify(path)}`);
  // What Node puts in place of bytes that are not UTF-8: the path that it gives may be another directory's.
  if (path.includes('\u{fffd}')) throw unusable(path, `${role} ${path} cannot be used: its name is not UTF-8`);
  let real: string;
  try {
    real = await realpath(path);
  } catch (cause) {
    throw unusable(path, `${role} ${path} cannot be opened`, cause);
  }
  if (!(await stat(real)).isDirectory()) throw unusable(path, `${role} ${path} is not a directory`);
  return real;
};

/**
 * Resolves symbolic links, so that one repository has one path, one mount and one home volume.
 * @throws LaunchError LAUNCH_REPOSITORY_UNUSABLE when a directory is missing, is the file system's root or covers a directory
 * of the container's own, or `cwd` lies outside.
 */
export const inspectRepository = async (request: { readonly repoRoot: string; readonly cwd: string }): Promise<Repository> => {
  const [root, cwd] = await Promise.all([
    realDirectory(request.repoRoot, 'the repository'),
    realDirectory(request.cwd, 'the working directory'),
  ]);
  if (root === parse(root).root)
    throw unusable(root, 'the whole file system cannot be the repository: start in a repository or name one');
  const covered = OURS.find((path) => isWithin(path, root) || isWithin(root, path));
  if (covered !== undefined)
    throw unusable(root, `${root} cannot be the repository: at the same path inside it would cover ${covered} of the container`);
  if (!isWithin(cwd, root)) throw unusable(cwd, `the working directory ${cwd} is outside the repository ${root}`);
  const found = await Promise.all(DEVCONTAINER_FILES.map((file) => ownerOf(join(root, file))));
  return { root, cwd, devcontainer: DEVCONTAINER_FILES.find((_file, index) => found[index] !== undefined) };
};
