import { describe, expect, it } from 'vitest';
import { planIdentity, type IdentityEngine } from '../../../src/launch/plan/identity.ts';

const host = { uid: 1234, gid: 100 };

const engine = (facts: Partial<IdentityEngine>): IdentityEngine => ({
  name: 'docker',
  clientVersion: '28.2.2',
  rootless: false,
  usernsRemap: false,
  location: 'native',
  ...facts,
});

const person = { uid: 1234, gid: 100 };

/** Each row was seen on a real engine: see docs/engines.md. */
const ROWS: readonly (readonly [string, Partial<IdentityEngine>, ReturnType<typeof planIdentity>['user'], string | undefined])[] =
  [
    ['docker', {}, person, undefined],
    ['rootless docker', { rootless: true }, undefined, undefined],
    ['docker with userns-remap', { usernsRemap: true }, person, 'host'],
    ['docker in a virtual machine', { location: 'vm' }, undefined, undefined],
    ['podman', { name: 'podman' }, person, undefined],
    ['rootless podman', { name: 'podman', rootless: true }, person, 'keep-id'],
    ['nerdctl', { name: 'nerdctl' }, person, undefined],
    ['rootless nerdctl', { name: 'nerdctl', rootless: true }, undefined, undefined],
    ['finch', { name: 'finch' }, person, undefined],
  ];

describe('the user of a session', () => {
  it.each(ROWS)('B10, B12: %s', (_name, facts, user, userns) => {
    expect(planIdentity(engine(facts), host)).toMatchObject({ user, userns, inside: user ?? { uid: 0, gid: 0 } });
  });

  it('B12: keep-id is for rootless podman alone', () => {
    const others = ROWS.filter(([, , , userns]) => userns !== 'keep-id').map(([, facts]) => planIdentity(engine(facts), host));
    expect(others.filter(({ userns }) => userns === 'keep-id')).toEqual([]);
  });

  it('says that a remap is dropped, and nothing elsewhere', () => {
    expect(planIdentity(engine({ usernsRemap: true }), host).notices).toEqual([{ code: 'userns-remap-dropped' }]);
    expect(planIdentity(engine({}), host).notices).toEqual([]);
  });
});
