import { describe, expect, it } from 'vitest';
import { ENGINE_DIFFERENCES, ENGINE_VARIANTS, type EngineKind, MINIMUM_VERSIONS, traitsOf, variantOf } from '../../src/index.ts';

const kinds: readonly EngineKind[] = ENGINE_VARIANTS.map((variant) => {
  const name = (['docker', 'podman', 'nerdctl', 'finch'] as const).find((each) => variant.startsWith(each)) ?? 'docker';
  return {
    name,
    clientVersion: MINIMUM_VERSIONS[name],
    rootless: variant.endsWith('-rootless'),
    usernsRemap: variant.endsWith('-userns'),
  };
});

const TRAITS = [...new Set(ENGINE_DIFFERENCES.map(({ trait }) => trait))];

describe('the table of differences', () => {
  it('every variant has a value for every trait, from its oldest version on', () => {
    expect(kinds.map(variantOf)).toEqual(ENGINE_VARIANTS);
    for (const kind of kinds) expect(Object.keys(traitsOf(kind)).toSorted()).toEqual(TRAITS.toSorted());
  });

  it('every row says where it is from, and no two say different things of one version', () => {
    for (const { evidence } of ENGINE_DIFFERENCES) {
      expect(evidence.date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(evidence.version).toMatch(/\d/);
      expect(evidence.shown.length).toBeGreaterThan(10);
    }
    const keys = ENGINE_DIFFERENCES.flatMap(({ trait, variants, since }) =>
      variants.map((each) => `${trait} ${each} ${String(since)}`),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('a later row holds from its version on', () => {
    const podman = (clientVersion: string): EngineKind => ({ name: 'podman', clientVersion, rootless: true, usernsRemap: false });
    const versions = ['4.3.1', '4.6.9', '4.7.0', '5.0.0'];
    expect(versions.map((version) => traitsOf(podman(version)).hostGateway)).toEqual(['refused', 'refused', 'host', 'host']);
  });
});
