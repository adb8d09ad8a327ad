import { formatEndpoint, type Engine } from '@doompi-sandbox/engine';
import { LaunchError } from '../../error.ts';

/**
 * Why an engine on another machine could not make the container: it looked for the session's directory, which has just been made here
 * under a random name, on its own disk. An engine that has the directory shares this machine's files.
 */
export const filesNotShared = ({ name, endpoint }: Pick<Engine, 'name' | 'endpoint'>): LaunchError => {
  const at = endpoint === undefined ? 'another machine' : formatEndpoint(endpoint);
  return new LaunchError(
    'LAUNCH_FILES_NOT_SHARED',
    `${name} at ${at} could not make the container: if it runs on another machine, it does not see this one's files, and a session needs the repository there. Use an engine on this machine (--engine, --endpoint), or start the session over there`,
    { engine: name, endpoint: at },
  );
};
