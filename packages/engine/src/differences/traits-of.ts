import { ENGINE_DIFFERENCES } from './engine-differences.ts';
import type { EngineTraits } from './engine-traits.ts';
import type { Engine } from '../engine.ts';
import type { EngineVariant } from '../names.ts';
import { isAtLeast } from '../detect/version.ts';

/** What of an engine decides which rows hold for it. */
export type EngineKind = Pick<Engine, 'name' | 'clientVersion' | 'rootless' | 'usernsRemap'>;

export const variantOf = ({ name, rootless, usernsRemap }: EngineKind): EngineVariant => {
  switch (name) {
    case 'docker':
      return rootless ? 'docker-rootless' : usernsRemap ? 'docker-userns' : 'docker';
    case 'podman':
      return rootless ? 'podman-rootless' : 'podman';
    case 'nerdctl':
      return rootless ? 'nerdctl-rootless' : 'nerdctl';
    case 'finch':
      return 'finch';
  }
};

/** The traits of an engine: of the rows for its variant the newest that its version has reached. */
export const traitsOf = (engine: EngineKind): EngineTraits => {
  const variant = variantOf(engine);
  const traits: Record<string, string> = {};
  for (const { trait, variants, since, value } of ENGINE_DIFFERENCES)
    if (variants.includes(variant) && (since === undefined || isAtLeast(engine.clientVersion, since))) traits[trait] = value;
  return traits as unknown as EngineTraits;
};
