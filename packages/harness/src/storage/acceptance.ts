import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Repositories for which the person said that they may use the home of the one that was at their path before. */
export interface Acceptance {
  has(storage: string): Promise<boolean>;
  add(storage: string): Promise<void>;
}

/**
 * Answers are files in a private directory of the person's state (`$XDG_STATE_HOME`). One that cannot be kept is asked for
 * again.
 * @param stateDirectory - undefined for a person without one
 */
export const openAcceptance = (stateDirectory: string | undefined): Acceptance => {
  if (stateDirectory === undefined) return { has: async () => false, add: async () => undefined };
  const directory = join(stateDirectory, 'doompi-sandbox', 'accepted-homes');
  return {
    has: async (storage) =>
      access(join(directory, storage)).then(
        () => true,
        () => false,
      ),
    add: async (storage) => {
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await writeFile(join(directory, storage), '', { mode: 0o600 });
      } catch {
        // A read-only home: the question comes again at the next launch.
      }
    },
  };
};
