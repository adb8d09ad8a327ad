import { type CaptureOptions, type CaptureResult, runCommand, subcommand } from './command.ts';
import type { Engine } from '../engine.ts';
import { type EngineError, engineError } from '../error.ts';

/**
 * Runs the engine's command and keeps what it writes. Any exit status is a result.
 * @throws EngineError ENGINE_NOT_SPAWNED, ENGINE_TIMEOUT, ENGINE_ANSWER_UNREADABLE (more than 64 MiB); the signal's reason when aborted
 */
export const capture = (engine: Engine, args: readonly string[], options: CaptureOptions = {}): Promise<CaptureResult> =>
  runCommand(engine.file, args, engine.environment, options);

/** The error for a command that ended with a failure, with the engine's own words in its details. */
export const commandFailed = (args: readonly string[], { exitCode, stderr }: CaptureResult): EngineError => {
  const command = subcommand(args);
  return engineError('ENGINE_COMMAND_FAILED', `The engine's command "${command}" failed with exit status ${exitCode}.`, {
    command,
    exitCode,
    stderr: stderr.trim(),
  });
};

/** Like {@link capture}, but a failure is ENGINE_COMMAND_FAILED; gives stdout. */
export const captureOutput = async (engine: Engine, args: readonly string[], options?: CaptureOptions): Promise<string> => {
  const result = await capture(engine, args, options);
  if (result.exitCode !== 0) throw commandFailed(args, result);
  return result.stdout;
};
