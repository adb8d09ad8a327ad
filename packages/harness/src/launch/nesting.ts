import { insideSandbox, SANDBOX_MARKER } from '@doompi-sandbox/contract';
import { LaunchError } from '../error.ts';
import type { Environment } from './settings/settings.ts';

/** @throws LaunchError LAUNCH_NESTED inside a sandbox. */
export const refuseNesting = (environment: Environment): void => {
  if (insideSandbox(environment))
    throw new LaunchError(
      'LAUNCH_NESTED',
      'this process already runs inside a sandbox; a sandbox cannot be started inside another',
      { marker: SANDBOX_MARKER },
    );
};
