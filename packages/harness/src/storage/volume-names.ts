import { createHash } from 'node:crypto';

/** What a session's volumes belong to; another value of any of these is another set of volumes. */
export interface StorageKey {
  /** Real path of the repository. */
  readonly repository: string;
  /** The person's numeric user id on the host. */
  readonly uid: number;
  readonly agent: string;
  /** Operating system and processor of the container, such as `linux/amd64`. */
  readonly platform: string;
  /** Set when another repository's volumes have the name that this one would have: see `chooseStorage`. */
  readonly identity?: string;
}

/** First part of the names of a repository's volumes. */
export const storageName = ({ repository, uid, agent, platform, identity }: StorageKey): string => {
  const parts = [repository, uid, agent, platform, ...(identity === undefined ? [] : [identity])];
  return `doompi-sandbox-${createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 12)}`;
};
