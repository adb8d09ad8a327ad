import { randomUUID } from 'node:crypto';
import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BridgeError, reasonOf } from './error.ts';

export interface WorkspaceProbeOptions {
  /** Directory in which the agent starts. */
  readonly directory: string;
  /** User id of this process and of the agent, for the message. */
  readonly uid: number;
}

/**
 * Writes and deletes a file of a fresh name in the workspace, as the agent's user and in the agent's own mounts,
 * so that a wrong user or a read-only mount shows before the agent starts and not after its first hour of work.
 * @throws BridgeError BRIDGE_WORKSPACE_NOT_WRITABLE
 */
export const probeWorkspace = async ({ directory, uid }: WorkspaceProbeOptions): Promise<void> => {
  const path = join(directory, `.doompi-probe-${randomUUID()}`);
  try {
    // Content, because a full disk still creates empty files.
    await writeFile(path, 'write probe of doompi-sandbox\n', { flag: 'wx' });
    await unlink(path);
  } catch (cause) {
    const errno = reasonOf(cause);
    throw new BridgeError(
      'BRIDGE_WORKSPACE_NOT_WRITABLE',
      `the workspace ${directory} is not writable for user ${uid} inside the container (${errno}); the agent was not started`,
      { path: directory, uid, errno },
      { cause },
    );
  }
};
