import { sep } from 'node:path';
import { findRepositoryRoot, isLaunchError, type Environment } from '@doompi-sandbox/harness';
import { LAUNCH_FAILED, USAGE } from './error.ts';
import type { ProgressStream } from './progress.ts';

/** The world as the command sees it. */
export interface CommandContext {
  /** Arguments after the command's name. */
  readonly argv: readonly string[];
  readonly environment: Environment;
  readonly cwd: string;
  /** What `--version` prints. */
  readonly version: string;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: ProgressStream;
  /** Asks the person; absent where nobody can be asked. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
}

/** The repository to mount, and where in it the session starts: where the person stands, if that is inside. */
export const place = async (
  repository: string | undefined,
  cwd: string,
): Promise<{ readonly repoRoot: string; readonly cwd: string }> => {
  const repoRoot = repository ?? (await findRepositoryRoot(cwd));
  return { repoRoot, cwd: `${cwd}${sep}`.startsWith(`${repoRoot}${sep}`) ? cwd : repoRoot };
};

/** Exit code for a failure that was told. */
export const exitCodeOf = (failure: unknown): number => {
  if (isLaunchError(failure, 'LAUNCH_SETTINGS_INVALID')) return USAGE;
  return LAUNCH_FAILED;
};
