import { SANDBOX_MARKER } from './names.ts';

/** Whether a process with this environment runs inside a sandbox: the marker is exactly `1`. */
export const insideSandbox = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  environment[SANDBOX_MARKER] === '1';
