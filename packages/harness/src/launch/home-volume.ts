import { createHash } from 'node:crypto';

/** What a home volume belongs to; another value of any of these is another volume. */
export interface HomeVolumeKey {
  /** Real path of the repository. */
  readonly repository: string;
  readonly uid: number;
  readonly agent: string;
  /** Operating system and architecture of the container, for instance `linux/x64`: homes hold native modules. */
  readonly platform: string;
}

/** Name of the volume that keeps the agent's home from session to session. */
export const homeVolumeName = ({ repository, uid, agent, platform }: HomeVolumeKey): string => {
  const digest = createHash('sha256').update([repository, uid, agent, platform].join('\0')).digest('hex');
  return `doompi-sandbox-${digest.slice(0, 12)}-home`;
};
