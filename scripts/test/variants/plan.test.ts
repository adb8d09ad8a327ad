import { describe, expect, it } from 'vitest';
import { isExcused } from '../../setup/variants/excuses.mjs';
import { missingVariant, refuseMissing } from '../../setup/variants/missing.mjs';
import { describeVariants, planVariants, type VariantFacts } from '../../setup/variants/plan.mjs';

/** A Debian with docker and nothing of ours. */
const fresh: VariantFacts = {
  canPrepare: true,
  dockerd: true,
  userNamespaces: true,
  tun: 'closed',
  user: false,
  missing: {
    podman: ['podman', 'crun'],
    rootless: ['uidmap', 'slirp4netns'],
    'docker-rootless': ['rootlesskit'],
    namespace: ['iproute2'],
    gvisor: ['runsc'],
  },
  answering: [],
};

const prepared: VariantFacts = {
  ...fresh,
  tun: 'open',
  user: true,
  missing: {},
  answering: ['docker-rootless', 'docker-userns', 'docker-gvisor'],
};

const reasons = (facts: VariantFacts): Record<string, string> =>
  Object.fromEntries(
    planVariants(facts).flatMap(({ id, unavailable }) => (unavailable === undefined ? [] : [[id, unavailable]])),
  );

describe('the plan for the test engines', () => {
  it('S15: says everything that it changes on a fresh machine, once', () => {
    expect(describeVariants(planVariants(fresh))).toBe(
      [
        'install the Debian packages podman, crun, uidmap, slirp4netns, rootlesskit, iproute2, runsc',
        'create the user doompi-test',
        'open /dev/net/tun to all users',
        'start the test engines docker-rootless, docker-userns, docker-gvisor',
      ].join(', '),
    );
  });

  it('S15: asks nothing where everything is there', () => {
    expect(describeVariants(planVariants(prepared))).toBe('');
  });

  it('starts what a restart of the machine ended, and nothing else', () => {
    expect(describeVariants(planVariants({ ...prepared, answering: ['docker-gvisor'] }))).toBe(
      'start the test engines docker-rootless, docker-userns',
    );
  });

  it.each<readonly [string, Partial<VariantFacts>, readonly string[], boolean]>([
    [
      'who is not root on Debian',
      { canPrepare: false },
      ['podman', 'podman-rootless', 'docker-rootless', 'docker-userns', 'docker-gvisor'],
      true,
    ],
    ['without user namespaces', { userNamespaces: false }, ['podman-rootless', 'docker-rootless'], true],
    ['without a tun device', { tun: 'absent' }, ['podman-rootless', 'docker-rootless'], true],
    ['whose docker is elsewhere', { dockerd: false }, ['docker-rootless', 'docker-userns', 'docker-gvisor'], false],
  ])('changes nothing for an engine that cannot be: on a machine %s', (_name, facts, missing, excused) => {
    const found = reasons({ ...fresh, ...facts });
    expect(Object.keys(found)).toEqual(missing);
    expect(Object.values(found).every(isExcused)).toBe(excused);
    for (const plan of planVariants({ ...fresh, ...facts }))
      if (missing.includes(plan.id)) expect(plan).toMatchObject({ install: [], createUser: false, openTun: false, start: false });
  });
});

describe('a missing engine', () => {
  const impossible = missingVariant('podman-rootless', 'this kernel has no tun device');
  const broken = missingVariant('docker-gvisor', 'dockerd of docker-gvisor ended with 1');

  it('fails where CI is set, with the reason', () => {
    expect(() => refuseMissing([impossible, broken], true)).toThrow('Engines are missing where CI is set: docker-gvisor');
    expect(() => refuseMissing([broken], true)).toThrow(
      expect.objectContaining({ why: 'docker-gvisor: dockerd of docker-gvisor ended with 1' }) as Error,
    );
  });

  it('is accepted elsewhere, and where it cannot be', () => {
    expect(() => refuseMissing([impossible, broken], false)).not.toThrow();
    expect(() => refuseMissing([impossible], true)).not.toThrow();
  });
});
