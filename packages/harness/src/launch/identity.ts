import type { Engine } from '@doompi-sandbox/engine';
import type { Notice } from '../notice.ts';
import type { Host } from './host.ts';

/** Which user runs in the container, so that what it writes to the repository belongs to the person. */
export interface Identity {
  /** Numeric user and group inside; undefined leaves the image's own, which is root. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  /** User namespace; undefined leaves the engine's own. */
  readonly userns: 'host' | 'keep-id' | undefined;
  /** User and group that processes see themselves as. */
  readonly inside: { readonly uid: number; readonly gid: number };
  readonly notices: readonly Notice[];
}

export type IdentityEngine = Pick<Engine, 'name' | 'rootless' | 'usernsRemap' | 'location'>;

/**
 * Decides the user of a session. Each rule was seen on a real engine, or says where it comes from:
 * - rootless podman maps the person to a user of the same number with keep-id, which rootful podman and docker refuse;
 * - in a rootless docker or nerdctl the person is the container's root, and every other user a subordinate id that cannot open the
 *   repository: never `--user`;
 * - docker's userns-remap maps everybody to subordinate ids; only the host's own user namespace leaves the person's;
 * - a virtual machine's file sharing makes every user of the container the person (Docker Desktop's documentation): the image's own user.
 */
export const planIdentity = (engine: IdentityEngine, { uid, gid }: Pick<Host, 'uid' | 'gid'>): Identity => {
  const person = { uid, gid };
  const root = { user: undefined, userns: undefined, inside: { uid: 0, gid: 0 }, notices: [] } as const;
  const { name, rootless, usernsRemap, location } = engine;
  if (location === 'vm') return root;
  if (rootless) return name === 'podman' ? { user: person, userns: 'keep-id', inside: person, notices: [] } : root;
  if (usernsRemap) return { user: person, userns: 'host', inside: person, notices: [{ code: 'userns-remap-dropped' }] };
  return { user: person, userns: undefined, inside: person, notices: [] };
};
