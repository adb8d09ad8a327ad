import { constants, type Stats } from 'node:fs';
import { access, lstat, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { SESSION_ENTRIES } from '@doompi-sandbox/contract';
import { LaunchError } from '../error.ts';

/** Private directory of one session on the host. Removed with everything in it when disposed. */
export interface SessionDirectory extends AsyncDisposable {
  /** Owner-only directory; holds `mount` and what must never be mounted. */
  readonly path: string;
  /** Mounted read-only at `/run/doompi`. */
  readonly mount: string;
}

/** `sun_path` of sockaddr_un holds 108 bytes with its terminating zero (unix(7)). */
const SOCKET_PATH_LIMIT = 107;

/** Length in bytes of the longest socket path below a session directory. */
const longestSocket = (directory: string): number =>
  Math.max(
    ...[SESSION_ENTRIES.broker, SESSION_ENTRIES.lifeline].map((entry) => Buffer.byteLength(join(directory, 'mount', entry))),
  );

/** `mkdtemp` replaces this many characters. */
const RANDOM_SUFFIX = 'XXXXXX';

interface Candidate {
  readonly parent: string;
  readonly prefix: string;
}

const example = ({ parent, prefix }: Candidate): string => join(parent, prefix + RANDOM_SUFFIX);

const isPrivate = (status: Stats, uid: number): boolean =>
  status.isDirectory() && status.uid === uid && (status.mode & 0o077) === 0;

/** Makes an owner-only directory, or answers false when there is one that others could have put there. */
const privateParent = async (path: string, uid: number): Promise<boolean> => {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) return false;
  }
  return isPrivate(await lstat(path), uid);
};

/** What says that a directory cannot be used, so that the next one is tried. */
const UNUSABLE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ELOOP', 'ENOSPC', 'EDQUOT']);

const openCandidate = async ({ parent, prefix }: Candidate): Promise<string | undefined> =>
  mkdtemp(`${parent}/${prefix}`).catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && UNUSABLE.has(cause.code)) return undefined;
    throw cause;
  });

export interface SessionDirectoryOptions {
  /** `$XDG_RUNTIME_DIR`, if set: already private to the person (XDG Base Directory Specification). */
  readonly runtimeDirectory?: string | undefined;
  /** `$TMPDIR` or the platform's directory for temporary files. */
  readonly temporaryDirectory: string;
  /** Tried last, because it is short everywhere. Default: `/tmp`. */
  readonly fallbackDirectory?: string;
  readonly uid: number;
  /** Real path of the repository: a session's sockets below it would be writable from inside, those of other sessions too. */
  readonly repository: string;
}

/** Whether a directory, as the kernel finds it, lies in the repository. One that cannot be resolved cannot be used either. */
const isInRepository = async (path: string, repository: string): Promise<boolean> => {
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && (real === repository || real.startsWith(repository + sep));
};

/** The first thing that `find` has in a directory which may hold sockets. */
const firstCandidate = async <Found>(
  options: SessionDirectoryOptions,
  find: (candidate: Candidate) => Promise<Found | undefined>,
): Promise<Found> => {
  const { runtimeDirectory, temporaryDirectory, fallbackDirectory = '/tmp', repository } = options;
  const temporary = [temporaryDirectory, fallbackDirectory].map((parent) => ({ parent, prefix: 'doompi-sandbox-' }));
  const candidates: Candidate[] = [];
  if (runtimeDirectory !== undefined) candidates.push({ parent: join(runtimeDirectory, 'doompi-sandbox'), prefix: '' });
  candidates.push(...temporary);
  const tooLong: { path: string; bytes: number }[] = [];
  const inside: string[] = [];
  for (const candidate of candidates) {
    // A relative path counts as none (XDG Base Directory Specification).
    if (!isAbsolute(candidate.parent)) continue;
    if (await isInRepository(candidate.prefix === '' ? dirname(candidate.parent) : candidate.parent, repository)) {
      inside.push(candidate.parent);
      continue;
    }
    const bytes = longestSocket(example(candidate));
    if (bytes > SOCKET_PATH_LIMIT) {
      tooLong.push({ path: candidate.parent, bytes });
      continue;
    }
    const found = await find(candidate);
    if (found !== undefined) return found;
  }
  throw new LaunchError(
    'LAUNCH_NO_SESSION_DIRECTORY',
    `no private directory for the session's sockets: a Unix socket's path may have ${SOCKET_PATH_LIMIT} bytes; ${
      [
        ...tooLong.map(({ path, bytes }) => `in ${path} it would have ${bytes}`),
        ...inside.map((path) => `${path} is in the repository`),
      ].join(', ') || 'no directory could be made'
    }. Set TMPDIR to a shorter directory outside the repository that you can write`,
    { limitBytes: SOCKET_PATH_LIMIT, candidates: tooLong },
  );
};

/**
 * Opens a fresh owner-only directory, the first that is short enough for a Unix socket: in the runtime directory, in the temporary
 * directory, in `/tmp`; never in the repository. In a directory that others can write the name is random.
 * @throws LaunchError LAUNCH_NO_SESSION_DIRECTORY when none is short enough.
 */
export const openSessionDirectory = async (options: SessionDirectoryOptions): Promise<SessionDirectory> =>
  firstCandidate(options, async (candidate) => {
    if (candidate.prefix === '' && !(await privateParent(candidate.parent, options.uid))) return undefined;
    const path = await openCandidate(candidate);
    if (path === undefined) return undefined;
    const mount = join(path, 'mount');
    await mkdir(mount, { mode: 0o700 });
    return { path, mount, [Symbol.asyncDispose]: async () => rm(path, { recursive: true, force: true }) };
  });

/** Whether a directory could be made there, without making one. */
const isOpen = async ({ parent, prefix }: Candidate, uid: number): Promise<boolean> => {
  const status = prefix === '' ? await lstat(parent).catch(() => undefined) : undefined;
  if (status !== undefined && !isPrivate(status, uid)) return false;
  const directory = prefix === '' && status === undefined ? dirname(parent) : parent;
  return access(directory, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
};

/**
 * Where {@link openSessionDirectory} would have its `mount`, with `XXXXXX` for what is random. Makes nothing.
 * @throws LaunchError LAUNCH_NO_SESSION_DIRECTORY as that does.
 */
export const previewSessionMount = async (options: SessionDirectoryOptions): Promise<string> =>
  firstCandidate(options, async (candidate) =>
    (await isOpen(candidate, options.uid)) ? join(example(candidate), 'mount') : undefined,
  );
