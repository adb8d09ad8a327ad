import { detectEngine, type Engine } from '@doompi-sandbox/engine';
import { runProgram, type ProgramResult } from '@doompi-sandbox/testkit';

export const demoEngine = async (): Promise<Engine> => {
  const override = process.env['DOOMPI_SANDBOX_ENGINE'];
  return detectEngine({ environment: process.env, ...(override === undefined ? {} : { override }) });
};

/** Runs the engine's command and answers its output; a failure is an error, so that nothing found is never mistaken for nothing there. */
export const engineOutput = async (engine: Engine, args: readonly string[], input?: string): Promise<string> => {
  const result: ProgramResult = await runProgram(engine.file, args, {
    env: engine.environment,
    timeoutMs: 60_000,
    ...(input === undefined ? {} : { input }),
  });
  if (result.exitCode !== 0) throw new Error(`${engine.name} ${args[0]} failed: ${result.stderr.trim()}`);
  return result.stdout;
};
