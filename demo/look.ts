import type { Engine } from '@doompi-sandbox/engine';
import { imageOf, mountedVolumes } from './leftovers.ts';
import { searchFor, type Finding } from './search.ts';
import { offeredTransports } from './transports.ts';

/** What was seen of a session while it was running. */
export interface Seen {
  /** Where a real key was found though it must not be. */
  readonly findings: readonly Finding[];
  /** Whether the search finds what is there: the canary, in the environment and in a file. */
  readonly searchWorks: boolean;
  readonly transports: readonly string[];
  readonly image: string | undefined;
  readonly volumes: readonly string[];
}

export const NOTHING_SEEN: Seen = { findings: [], searchWorks: false, transports: [], image: undefined, volumes: [] };

/** Looks at a running session from outside and inside. */
export const lookAt = async (
  engine: Engine,
  container: string,
  { secrets, canary }: { readonly secrets: readonly string[]; readonly canary: string },
): Promise<Seen> => {
  const [control = [], ...ofSecrets] = await searchFor(engine, container, [canary, ...secrets]);
  return {
    findings: ofSecrets.flat(),
    searchWorks: ['container environment', 'container file'].every((place) => control.some(({ where }) => where === place)),
    transports: await offeredTransports(engine, container),
    image: await imageOf(engine, container),
    volumes: await mountedVolumes(engine, container),
  };
};
