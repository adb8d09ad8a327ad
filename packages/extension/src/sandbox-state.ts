import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { insideSandbox, parseSessionFile, SESSION_ENTRIES, type SessionFile } from '@doompi-sandbox/contract';

export interface SandboxSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Directory that the launcher mounts into the container. */
  readonly sessionDirectory: string;
}

/** Where this process runs. `unclear`: marked as sandboxed, but without a session file that says so. */
export type SandboxState =
  | { readonly kind: 'host' }
  | { readonly kind: 'unclear'; readonly path: string; readonly reason: string }
  | { readonly kind: 'sandbox'; readonly session: SessionFile };

/**
 * Reads marker and session file, and believes them only together: a variable alone can come from anywhere, and would send
 * real keys to an address of a stranger's choice.
 */
export const readSandboxState = ({ environment, sessionDirectory }: SandboxSurroundings): SandboxState => {
  if (!insideSandbox(environment)) return { kind: 'host' };
  const path = join(sessionDirectory, SESSION_ENTRIES.session);
  try {
    return { kind: 'sandbox', session: parseSessionFile(readFileSync(path, 'utf8')) };
  } catch (error) {
    return { kind: 'unclear', path, reason: error instanceof Error ? error.message : String(error) };
  }
};
