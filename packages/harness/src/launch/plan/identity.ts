import { traitsOf, type Engine, type EngineKind } from '@doompi-sandbox/engine';
import type { Notice } from '../../notice.ts';
import type { Host } from '../facts/host.ts';

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

export type IdentityEngine = EngineKind & Pick<Engine, 'location'>;

/**
 * Decides the user of a session from what its engine does with users. In a virtual machine it is the image's own: the file sharing of
 * such an engine makes every user of the container the person (documentation of Docker Desktop; not run).
 */
export const planIdentity = (engine: IdentityEngine, { uid, gid }: Pick<Host, 'uid' | 'gid'>): Identity => {
  const person = { uid, gid };
  const { identity } = traitsOf(engine);
  switch (engine.location === 'vm' ? 'container-root' : identity) {
    case 'user':
      return { user: person, userns: undefined, inside: person, notices: [] };
    case 'keep-id':
      return { user: person, userns: 'keep-id', inside: person, notices: [] };
    case 'userns-host':
      return { user: person, userns: 'host', inside: person, notices: [{ code: 'userns-remap-dropped' }] };
    case 'container-root':
      return { user: undefined, userns: undefined, inside: { uid: 0, gid: 0 }, notices: [] };
  }
};
