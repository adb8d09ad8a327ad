import { detectEngine, type Engine } from '@doompi-sandbox/engine';
import { runProgram, type ProgramResult } from '@doompi-sandbox/testkit';

/** The engine that sessions of the demo run on: the one asked for, as the command chooses it. */
export const demoEngine = async (asked: string | undefined): Promise<Engine> => {
  const override = asked ?? process.env['DOOMPI_SANDBOX_ENGINE'];
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

const ROOTLESS: Readonly<Record<string, readonly [args: readonly string[], isRootless: (output: string) => boolean]>> = {
  docker: [['info', '--format', '{{json .SecurityOptions}}'], (output) => output.includes('name=rootless')],
  podman: [['info', '--format', '{{.Host.Security.Rootless}}'], (output) => output.trim() === 'true'],
};

/** Whether the engine itself says that it runs without root; undefined for one that is not asked. */
export const isRootless = async (engine: Engine): Promise<boolean | undefined> => {
  const [args, judge] = ROOTLESS[engine.name] ?? [];
  return args === undefined || judge === undefined ? undefined : judge(await engineOutput(engine, args));
};
