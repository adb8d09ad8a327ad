import { randomUUID } from 'node:crypto';
import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BridgeError, reasonOf } from './error.ts';

export interface WriteProbeOptions {
  readonly directory: string;
  /** User id of this process and of the agent, for the message. */
  readonly uid: number;
}

/** Writes and deletes a file of a fresh name. */
const probe = async (directory: string): Promise<unknown> => {
  const path = join(directory, `.doompi-probe-${randomUUID()}`);
  try {
    // Content, because a full disk still creates empty files.
    await writeFile(path, 'write probe of doompi-sandbox\n', { flag: 'wx' });
    await unlink(path);
    return undefined;
  } catch (error) {
    return error;
  }
};

/**
 * Writes and deletes a file in the workspace, as the agent's user and in the agent's own mounts, so that a wrong user or a read-only
 * mount shows before the agent starts and not after its first hour of work.
 * @throws BridgeError BRIDGE_WORKSPACE_NOT_WRITABLE
 */
export const probeWorkspace = async ({ directory, uid }: WriteProbeOptions): Promise<void> => {
  const cause = await probe(directory);
  if (cause === undefined) return;
  const errno = reasonOf(cause);
  throw new BridgeError(
    'BRIDGE_WORKSPACE_NOT_WRITABLE',
    `the workspace ${directory} is not writable for user ${uid} inside the container (${errno}); the agent was not started`,
    { path: directory, uid, errno },
    { cause },
  );
};

/**
 * The same for a volume, which lives longer than sessions and may have been filled by another user.
 * @throws BridgeError BRIDGE_VOLUME_NOT_WRITABLE
 */
export const probeVolume = async ({ directory, uid }: WriteProbeOptions): Promise<void> => {
  const cause = await probe(directory);
  if (cause === undefined) return;
  const errno = reasonOf(cause);
  throw new BridgeError(
    'BRIDGE_VOLUME_NOT_WRITABLE',
    `the volume at ${directory} is not writable for user ${uid} inside the container (${errno}); the agent was not started. ` +
      'Remove that volume, which a new one replaces: doompi-sandbox plan names it',
    { path: directory, uid, errno },
    { cause },
  );
};
