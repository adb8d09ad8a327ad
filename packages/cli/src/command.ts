import { sep } from 'node:path';
import { createSandboxLauncher, findRepositoryRoot, isLaunchError, type Environment } from '@doompi-sandbox/harness';
import { parseArguments } from './arguments.ts';
import { formatFailure } from './failure.ts';
import { createProgress, type ProgressStream } from './progress.ts';

/** A mistake on the command line. */
const USAGE = 2;

/** The session could not be started; the same number that `docker run`, `env` and `timeout` use for a failure of their own. */
export const LAUNCH_FAILED = 125;

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
}

/** The repository to mount, and where in it the session starts: where the person stands, if that is inside. */
const place = async (
  repository: string | undefined,
  cwd: string,
): Promise<{ readonly repoRoot: string; readonly cwd: string }> => {
  const repoRoot = repository ?? (await findRepositoryRoot(cwd));
  return { repoRoot, cwd: `${cwd}${sep}`.startsWith(`${repoRoot}${sep}`) ? cwd : repoRoot };
};

/** Runs `doompi-sandbox` and answers its exit code. Never throws. */
export const runCommand = async ({ argv, environment, cwd, version, stdout, stderr }: CommandContext): Promise<number> => {
  const invocation = parseArguments(argv, cwd, version);
  if (invocation.kind === 'text') {
    stdout.write(invocation.text);
    return 0;
  }
  if (invocation.kind === 'mistake') {
    stderr.write(`doompi-sandbox: error: ${invocation.message}\nSee doompi-sandbox --help\n`);
    return USAGE;
  }
  const progress = createProgress(stderr, Date.now);
  try {
    return await createSandboxLauncher({ ...invocation.options, defaultAgent: 'pi' }).launchSandbox({
      ...(await place(invocation.repository, cwd)),
      forwardArgs: invocation.agentArguments,
      environment,
      onNotice: invocation.quiet ? () => {} : (notice) => progress.notice(notice),
    });
  } catch (failure) {
    progress.end();
    stderr.write(formatFailure(failure));
    return isLaunchError(failure, 'LAUNCH_SETTINGS_INVALID') ? USAGE : LAUNCH_FAILED;
  } finally {
    progress.end();
  }
};
