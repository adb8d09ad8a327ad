import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export interface ScratchRepositoryOptions {
  /** Name of the repository's directory; any character but `/` and NUL. Default `repository`. */
  readonly name?: string;
  /** Files of the first commit, by relative path. Default: a README.md. */
  readonly files?: Readonly<Record<string, string>>;
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

/** A git repository with one commit on branch `main` in a temporary directory. */
export const scratchRepository = async (options: ScratchRepositoryOptions = {}): Promise<ScratchRepository> => {
  const { name = 'repository', files = { 'README.md': '# Scratch\n' } } = options;
  const directory = await temporaryDirectory('doompi-repository-');
  const path = join(directory.path, name);
  const git = async (...args: readonly string[]): Promise<string> => {
    const result = await runProgram('git', args, { cwd: path, env: gitEnvironment() });
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
  } catch (error) {
    await directory.dispose();
    throw error;
  }
  return { path, git, dispose: directory.dispose, [Symbol.asyncDispose]: directory.dispose };
};
