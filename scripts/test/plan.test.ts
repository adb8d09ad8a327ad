import { describe, expect, it } from 'vitest';
import type { Facts } from '../setup/engine/facts.mjs';
import { describePlan, planSystem } from '../setup/engine/plan.mjs';
import { SetupFailure } from '../setup/failure.mjs';

/** A Debian 12 with Node and nothing else, as root. */
const fresh: Facts = {
  docker: { answers: false, cli: false, why: 'there is no docker program on PATH' },
  override: '',
  elsewhere: undefined,
  platform: 'linux',
  isRoot: true,
  debian: 12,
  systemd: false,
  dockerd: false,
  daemonPid: undefined,
  cgroups: true,
  enoughCapabilities: true,
  missing: ['git', 'iptables'],
};

const answers: Facts = { ...fresh, docker: { answers: true, version: '28.2.2' }, dockerd: true, missing: [] };

const silent: Facts = { ...fresh, docker: { answers: false, cli: true, why: 'Cannot connect' }, dockerd: true, missing: [] };

describe('the plan for a machine', () => {
  it.each<readonly [string, Facts, ReturnType<typeof planSystem>]>([
    ['nothing, where docker answers', answers, { install: [], start: 'none' }],
    ['a tool, where docker answers', { ...answers, missing: ['git'] }, { install: ['git'], start: 'none' }],
    ['everything, on a fresh Debian', fresh, { install: ['docker.io', 'git', 'iptables'], start: 'by hand' }],
    [
      'the CLI too, on Debian 13',
      { ...fresh, debian: 13, missing: [] },
      { install: ['docker.io', 'docker-cli'], start: 'by hand' },
    ],
    [
      'the engine, where only a CLI is there',
      { ...fresh, docker: { answers: false, cli: true, why: 'Cannot connect' }, missing: [] },
      { install: ['docker.io'], start: 'by hand' },
    ],
    ['a start by hand, where no server answers', silent, { install: [], start: 'by hand' }],
    ['a start of the service, under systemd', { ...silent, systemd: true }, { install: [], start: 'systemd' }],
    ['to wait, for a dockerd that runs', { ...silent, daemonPid: 7 }, { install: [], start: 'wait' }],
  ])('is %s', (_name, facts, plan) => {
    expect(planSystem(facts)).toEqual(plan);
  });

  it.each<readonly [string, Partial<Facts>, RegExp, RegExp]>([
    ['another engine is asked for', { override: 'podman' }, /DOOMPI_SANDBOX_ENGINE=podman/, /docker/],
    [
      'DOCKER_HOST points elsewhere',
      { ...silent, elsewhere: 'DOCKER_HOST=tcp://x:1' },
      /DOCKER_HOST=tcp:\/\/x:1 does not answer/,
      /unset/,
    ],
    ['it is macOS', { platform: 'darwin' }, /No docker server answers/, /Install Docker/],
    ['it is not root', { isRoot: false }, /No docker server answers/, /sudo apt-get install docker\.io/],
    ['it is not root, and docker is there', { ...silent, isRoot: false }, /No docker server answers/, /systemctl start docker/],
    [
      'the socket is not for this user',
      { isRoot: false, docker: { answers: false, cli: true, why: 'permission denied while trying to connect' } },
      /No docker server answers/,
      /usermod -aG docker/,
    ],
    ['it is another Linux', { debian: undefined }, /no Docker Engine/, /Install Docker/],
    ['no cgroups are mounted', { cgroups: false }, /no cgroup file system/, /mount -t cgroup2/],
    ['root lacks capabilities', { enoughCapabilities: false }, /may not start/, /privileged/],
    [
      'a tool is missing on another Linux',
      { ...answers, debian: undefined, missing: ['git'] },
      /missing.*git/,
      /package manager/,
    ],
    [
      'a tool is missing and it is not root',
      { ...answers, isRoot: false, missing: ['git'] },
      /missing.*git/,
      /sudo apt-get install git/,
    ],
  ])('is left to the person where %s', (_name, facts, what, next) => {
    const plan = (): unknown => planSystem({ ...fresh, ...facts });
    expect(plan).toThrow(SetupFailure);
    expect(plan).toThrow(what);
    let failure: unknown;
    try {
      plan();
    } catch (error) {
      failure = error;
    }
    expect((failure as SetupFailure).text).toMatch(next);
  });

  it('S15: says what it changes, and nothing where it changes nothing', () => {
    expect(describePlan(planSystem(fresh))).toBe('install the Debian packages docker.io, git, iptables and start dockerd');
    expect(describePlan(planSystem(silent))).toBe('start dockerd');
    expect(describePlan({ install: [], start: 'wait' })).toBe('');
    expect(describePlan(planSystem(answers))).toBe('');
  });
});
