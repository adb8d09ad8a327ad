import { constants } from 'node:fs';
import { access, lstat, open, realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { inspectRepository } from '../launch/facts/repository.ts';
import type { Environment } from '../launch/settings/settings.ts';
import { finding, type Finding } from './finding.ts';

export interface RepositoryFacts {
  /** Real path of what would be mounted. */
  readonly root: string;
  /** Real path of the working directory. */
  readonly cwd: string;
  /** The working directory as the shell calls it, when that leads through a symbolic link. */
  readonly logicalCwd: string | null;
  /** What `.git` is; null without one. */
  readonly git: 'repository' | 'worktree' | 'submodule' | null;
  /** Real path of the git directory when it lies outside `root`. */
  readonly gitDirectoryOutside: string | null;
  /** Relative to `root`. */
  readonly devcontainer: string | null;
  /** Whether this user can write the working directory. */
  readonly writable: boolean;
  /** Whether `root` is the home directory. */
  readonly home: boolean;
}

export interface RepositoryQuestion {
  readonly repoRoot: string;
  readonly cwd: string;
  readonly environment: Environment;
}

const realPath = async (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);

/** `gitdir: <path>` of the file that a worktree or submodule has for `.git` (gitrepository-layout(5)). Its content is not trusted. */
const gitDirectory = async (root: string): Promise<string | undefined> => {
  const file = await open(join(root, '.git'), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8192), 0, 8192, 0);
    const [, path] = /^gitdir: ([^\n\0]+)/.exec(buffer.toString('utf8', 0, bytesRead)) ?? [];
    return path === undefined ? undefined : resolve(root, path);
  } finally {
    await file.close();
  }
};

const gitFacts = async (root: string): Promise<Pick<RepositoryFacts, 'git' | 'gitDirectoryOutside'>> => {
  const status = await lstat(join(root, '.git')).catch(() => undefined);
  if (status === undefined) return { git: null, gitDirectoryOutside: null };
  if (!status.isFile()) return { git: 'repository', gitDirectoryOutside: null };
  const directory = await gitDirectory(root).catch(() => undefined);
  if (directory === undefined) return { git: 'repository', gitDirectoryOutside: null };
  const real = (await realPath(directory)) ?? directory;
  return {
    git: directory.includes(`${sep}modules${sep}`) ? 'submodule' : 'worktree',
    gitDirectoryOutside: real.startsWith(root + sep) ? null : real,
  };
};

/** @throws LaunchError LAUNCH_REPOSITORY_UNUSABLE, as a launch does. */
export const repositoryFacts = async ({ repoRoot, cwd, environment }: RepositoryQuestion): Promise<RepositoryFacts> => {
  const repository = await inspectRepository({ repoRoot, cwd });
  const { PWD: logical = '', HOME: home = '' } = environment;
  const [git, writable, logicalReal, homeReal] = await Promise.all([
    gitFacts(repository.root),
    access(repository.cwd, constants.W_OK).then(
      () => true,
      () => false,
    ),
    isAbsolute(logical) ? realPath(logical) : undefined,
    isAbsolute(home) ? realPath(home) : undefined,
  ]);
  return {
    root: repository.root,
    cwd: repository.cwd,
    // A shell's PWD says nothing when the command was started by something else.
    logicalCwd: logicalReal === repository.cwd && logical !== repository.cwd ? logical : null,
    ...git,
    devcontainer: repository.devcontainer ?? null,
    writable,
    home: homeReal === repository.root,
  };
};

export const judgeRepository = (facts: RepositoryFacts): readonly Finding[] => {
  const { root, cwd, git, gitDirectoryOutside, writable, home } = facts;
  const findings: Finding[] = [];
  if (!writable) findings.push(finding('error', 'repository-read-only', `${cwd} is not writable for you`));
  if (home) findings.push(finding('warning', 'home-is-repository', `${root} is your home directory`));
  else if (git === null) findings.push(finding('ok', 'not-a-repository', `${root} is no git checkout`));
  if (git !== null && gitDirectoryOutside !== null)
    findings.push(
      finding('warning', 'git-directory-outside', `this ${git}'s git directory ${gitDirectoryOutside} is not mounted`),
    );
  return findings;
};
