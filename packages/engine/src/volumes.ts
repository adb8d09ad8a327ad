import { capture, captureOutput, commandFailed } from './capture.ts';
import type { Engine } from './engine.ts';

/**
 * Removes a named volume: true when it was there, false when there was none.
 * @throws EngineError ENGINE_COMMAND_FAILED when it is still there, for instance because a container uses it
 */
export const removeVolume = async (engine: Engine, name: string): Promise<boolean> => {
  if (!/^[a-zA-Z0-9][\w.-]*$/.test(name)) throw new TypeError(`name: expected a volume's name, got ${JSON.stringify(name)}`);
  const args = ['volume', 'rm', name];
  const answer = await capture(engine, args);
  if (answer.exitCode === 0) return true;
  const names = await captureOutput(engine, ['volume', 'ls', '--quiet', '--filter', `name=${name}`]);
  if (names.split('\n').includes(name)) throw commandFailed(args, answer);
  return false;
};
