import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export interface ScratchRepositoryOptions {
  /** Name of the repository's directory; any character but `/` and NUL. Default `repository`. */
  readonly name?: string;
  /** Files of the first commit, by relative path. Default: a README.md. */
  readonly files?: Readonly<Record<string, string>>;
  /** To whom all of it belongs; needs root. `git` then runs as that user. Default: this process's user. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

export interface ScratchRepository extends AsyncDisposable {
  /** Absolute real path of the working tree. */
  readonly path: string;
  /** Runs git in the working tree and answers its stdout; throws when git fails. */
  git(...args: readonly string[]): Promise<string>;
  /** Deletes the repository and the directory that holds it. */
  dispose(): Promise<void>;
}

/** Keeps the person's own git configuration, hooks and identity out of tests. */
const gitEnvironment = (): Record<string, string | undefined> => ({
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
});

const giveAll = async (path: string, { uid, gid }: NonNullable<ScratchRepositoryOptions['owner']>): Promise<void> => {
  const given = await runProgram('chown', ['--recursive', `${uid}:${gid}`, path]);
  if (given.exitCode !== 0) throw new Error(`chown failed: ${given.stderr}`);
};

/** A git repository with one commit on branch `main` in a temporary directory. */
export const scratchRepository = async (options: ScratchRepositoryOptions = {}): Promise<ScratchRepository> => {
  const { name = 'repository', files = { 'README.md': '# Scratch\n' }, owner } = options;
  const directory = await temporaryDirectory('doompi-repository-');
  const path = join(directory.path, name);
  let identity: readonly string[] = [];
  const git = async (...args: readonly string[]): Promise<string> => {
    const [file = '', ...rest] = [...identity, 'git', ...args];
    const result = await runProgram(file, rest, { cwd: path, env: gitEnvironment() });
    if (result.exitCode !== 0) throw new Error(`git ${args.join(' ')} failed: ${result.stderr}`);
    return result.stdout;
  };
  try {
    await mkdir(path);
    await git('init', '--quiet', '--initial-branch=main');
    for (const [file, content] of Object.entries(files)) {
      await mkdir(join(path, file, '..'), { recursive: true });
      await writeFile(join(path, file), content);
    }
    await git('add', '--all');
    await git('commit', '--quiet', '--allow-empty', '--message=First commit');
    if (owner !== undefined) {
      await giveAll(directory.path, owner);
      // git refuses a repository that belongs to somebody else.
      identity = ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups', '--'];
    }
  } catch (error) {
    await directory.dispose();
    throw error;
  }
  return { path, git, dispose: directory.dispose, [Symbol.asyncDispose]: directory.dispose };
};
