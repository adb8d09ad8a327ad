import { constants } from 'node:os';
import { buildSandboxImage, createSandboxLauncher, diagnose, isLaunchError, previewLaunch } from '@doompi-sandbox/harness';
import { parseArguments, type Invocation } from './arguments.ts';
import { exitCodeOf, place, type CommandContext } from './context.ts';
import { errorLine, USAGE } from './error.ts';
import { formatDoctor } from './format-doctor.ts';
import { formatFailure } from './failure.ts';
import { formatPlan } from './format-plan.ts';
import { printableJson, printableLine } from './printable.ts';
import { createProgress, type Progress } from './progress.ts';

type Asked<Kind extends Invocation['kind']> = Extract<Invocation, { kind: Kind }>;

const run = async (
  invocation: Asked<'run'>,
  { environment, cwd, confirm }: CommandContext,
  progress: Progress,
): Promise<number> =>
  createSandboxLauncher({ ...invocation.options, defaultAgent: 'pi' }).launchSandbox({
    ...(await place(invocation.repository, cwd)),
    forwardArgs: invocation.agentArguments,
    environment,
    onNotice: invocation.quiet ? () => {} : (notice) => progress.notice(notice),
    ...(confirm === undefined ? {} : { confirm }),
  });

const plan = async (
  invocation: Asked<'plan'>,
  { environment, cwd, stdout }: CommandContext,
  progress: Progress,
): Promise<number> => {
  const preview = await previewLaunch(
    { ...(await place(invocation.repository, cwd)), forwardArgs: invocation.agentArguments, environment },
    { ...invocation.options, defaultAgent: 'pi' },
  );
  stdout.write(invocation.json ? printableJson(preview) : formatPlan(preview));
  if (!invocation.json && !invocation.quiet) for (const notice of preview.notices) progress.notice(notice);
  return 0;
};

const build = async (
  invocation: Asked<'build'>,
  { environment, cwd, stdout }: CommandContext,
  progress: Progress,
): Promise<number> => {
  const { refresh, pull } = invocation;
  const onNotice: Progress['notice'] = invocation.quiet ? () => {} : (notice) => progress.notice(notice);
  try {
    const { reference } = await buildSandboxImage(
      { cwd, environment, refresh, pull, onNotice },
      { ...invocation.options, defaultAgent: 'pi' },
    );
    progress.end();
    stdout.write(`${reference}\n`);
    return 0;
  } catch (failure) {
    // The person knows: no more words than a shell has for it.
    if (isLaunchError(failure, 'LAUNCH_INTERRUPTED')) return 128 + constants.signals[failure.details.signal];
    throw failure;
  }
};

/** No session can start here. */
const NOT_READY = 1;

const doctor = async (invocation: Asked<'doctor'>, context: CommandContext): Promise<number> => {
  const { environment, cwd, stdout, version } = context;
  const diagnosis = await diagnose(
    { ...(await place(invocation.repository, cwd)), environment },
    { ...invocation.options, defaultAgent: 'pi' },
  );
  stdout.write(invocation.json ? printableJson(diagnosis) : formatDoctor(diagnosis, version));
  return diagnosis.ready ? 0 : NOT_READY;
};

const execute = async (invocation: Invocation, context: CommandContext, progress: Progress): Promise<number> => {
  switch (invocation.kind) {
    case 'text':
      context.stdout.write(invocation.text);
      return 0;
    case 'mistake':
      context.stderr.write(`${errorLine(printableLine(invocation.message), 'CLI_USAGE')}See ${invocation.help}\n`);
      return USAGE;
    case 'run':
      return run(invocation, context, progress);
    case 'plan':
      return plan(invocation, context, progress);
    case 'build':
      return build(invocation, context, progress);
    case 'doctor':
      return doctor(invocation, context);
  }
};

/** Runs `doompi-sandbox` and answers its exit code. Never throws. */
export const runCommand = async (context: CommandContext): Promise<number> => {
  const { argv, cwd, version, stderr } = context;
  const progress = createProgress(stderr, Date.now);
  try {
    return await execute(parseArguments(argv, cwd, version), context, progress);
  } catch (failure) {
    progress.end();
    stderr.write(formatFailure(failure));
    return exitCodeOf(failure);
  } finally {
    progress.end();
  }
};
