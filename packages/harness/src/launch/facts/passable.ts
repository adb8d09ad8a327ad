import { isClientVariable, type Engine } from '@doompi-sandbox/engine';
import { LaunchError } from '../../error.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * Refuses variables that were named with `--env` and that this engine's own client would obey: they reach the container through its
 * environment.
 * @throws LaunchError LAUNCH_SETTINGS_INVALID
 */
export const assertPassable = ({ passVariables }: Pick<Settings, 'passVariables'>, { name }: Pick<Engine, 'name'>): void => {
  const problems = passVariables
    .filter((variable) => isClientVariable(variable, name))
    .map(
      (variable) => `--env cannot pass ${variable} on this engine: the command of ${name} obeys it itself; set it in the image`,
    );
  if (problems.length > 0) throw new LaunchError('LAUNCH_SETTINGS_INVALID', problems.join('\n'), { problems });
};
