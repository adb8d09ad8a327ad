import { createCredential } from '@doompi-sandbox/broker';
import { runArguments } from '@doompi-sandbox/engine';
import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../src/launch/facts/facts.ts';
import { planLaunch, type LaunchPlan } from '../../../src/launch/plan/plan.ts';
import { parseSettings, type LauncherOptions } from '../../../src/launch/settings/settings.ts';
import { factsOf, VOLUMES } from '../../helpers/facts.ts';

const KEY = 'sk-ant-api03-real-key';

const credential = createCredential({ variable: 'ANTHROPIC_API_KEY', value: KEY, providers: ['anthropic'] });

const facts = (overrides: Partial<Facts> = {}): Facts =>
  factsOf({ credentials: [credential], credentialVariables: new Set(['ANTHROPIC_API_KEY']), ...overrides });

const plan = (
  options: LauncherOptions = {},
  environment: Record<string, string> = { ANTHROPIC_API_KEY: KEY },
  overrides: Partial<Facts> = {},
): LaunchPlan =>
  planLaunch({
    settings: parseSettings(options, environment),
    facts: facts(overrides),
    environment,
    sessionId: 'abc',
    imageReference: 'doompi-sandbox:v1-1',
    command: ['pi', '-p', 'x'],
    volumes: VOLUMES,
    version: '1.0.0',
    sessionMount: '/run/user/1000/doompi-sandbox/x/mount',
  });

describe('the plan', () => {
  it('mounts the repository at its own path, the home, and the session directory read-only', () => {
    const { mounts } = plan().run;
    const [repository, home] = mounts;
    const session = mounts.at(-1);
    expect(repository).toEqual({ type: 'bind', source: '/home/me/repo', target: '/home/me/repo' });
    expect(home).toEqual({ type: 'volume', source: 'doompi-sandbox-0-home', target: '/doompi-home' });
    expect(session).toEqual({
      type: 'bind',
      source: '/run/user/1000/doompi-sandbox/x/mount',
      target: '/run/doompi',
      readOnly: true,
    });
    expect(mounts.slice(2, -1).map(({ type }) => type)).toEqual(['volume', 'volume', 'volume', 'volume', 'tmpfs']);
  });

  it('gives the tunnel a small file system in memory, open to the user that the agent runs as, and only then', () => {
    const tunnel = { type: 'tmpfs', target: '/run/doompi-tunnel', options: 'mode=1777,size=64k' };
    expect(plan().run.mounts).toContainEqual(tunnel);
    expect(plan({ transport: 'tunnel' }).run.mounts).toContainEqual(tunnel);
    expect(plan({ transport: 'socket' }).run.mounts).not.toContainEqual(tunnel);
  });

  it('names the socket to the agent only when it is mounted', () => {
    expect(plan().environment).toHaveProperty('DOOMPI_BROKER_SOCKET', '/run/doompi/broker.sock');
    expect(plan({ transport: 'tunnel' }).environment).not.toHaveProperty('DOOMPI_BROKER_SOCKET');
    expect(plan({ transport: 'tunnel' }).environment).toHaveProperty('DOOMPI_BROKER_PORT', '8317');
  });

  it("opens this host's loopback interface to the container only when tcp was asked for on podman, and says so", () => {
    const engine = { ...facts().engine, name: 'podman' } as const;
    const network = 'slirp4netns:allow_host_loopback=true';
    const opened = plan({ transport: 'tcp' }, undefined, { engine });
    expect(opened.run.network).toBe(network);
    expect(opened.notices).toContainEqual({ code: 'loopback-opened', network });
    for (const other of [plan({}, undefined, { engine }), plan({ transport: 'tcp' })]) {
      expect(other.run.network).toBeUndefined();
      expect(other.notices.map(({ code }) => code)).not.toContain('loopback-opened');
    }
  });

  it('runs the container with the runtime that was named', () => {
    expect(plan({ runtime: 'runsc' }).run.runtime).toBe('runsc');
    expect(plan().run).not.toHaveProperty('runtime');
  });

  it('runs as the person, where the person stands, with labels that name session and launcher', () => {
    const { run } = plan();
    expect(run).toMatchObject({ user: { uid: 1000, gid: 100 }, workdir: '/home/me/repo/sub', command: ['pi', '-p', 'x'] });
    expect(run.labels).toMatchObject({
      'doompi.sandbox.repo': '/home/me/repo',
      'doompi.sandbox.session': 'abc',
      'doompi.sandbox.launcher-pid': '42',
    });
  });

  it('holds no secret, so that it may be printed', () => {
    const planned = plan({ passVariables: ['STRIPE_API_KEY'] }, { ANTHROPIC_API_KEY: KEY, STRIPE_API_KEY: 'stripe-secret' });
    expect(JSON.stringify(planned)).not.toMatch(/sk-ant|stripe-secret/);
    expect(planned.run.environment).toEqual(expect.arrayContaining(['ANTHROPIC_API_KEY', 'STRIPE_API_KEY']));
    expect(planned.tokens).toEqual(['ANTHROPIC_API_KEY']);
  });

  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
    [false, false, false],
  ])('with stdin a terminal: %s and stdout: %s, allocates a terminal: %s', (stdinIsTerminal, stdoutIsTerminal, tty) => {
    const host = { ...facts().host, stdinIsTerminal, stdoutIsTerminal };
    expect(plan({}, {}, { host }).run).toMatchObject({ tty, interactive: true });
  });

  it('says why nothing is brokered', () => {
    expect(plan({}, {}, { credentials: [] }).notices).toContainEqual({
      code: 'nothing-to-broker',
      variables: ['ANTHROPIC_API_KEY'],
    });
    expect(plan({ broker: false }, {}, { credentials: [] }).notices).toContainEqual({ code: 'broker-off' });
    expect(plan({}, {}, { credentials: [] }).bridgePort).toBeUndefined();
  });

  it('says whether an upstream has an effect', () => {
    const upstreams = { anthropic: 'https://a.example', groq: 'https://b.example' };
    expect(plan({ upstreams }).notices).toEqual(
      expect.arrayContaining([
        { code: 'upstream-overridden', provider: 'anthropic', upstream: 'https://a.example' },
        { code: 'upstream-unused', provider: 'groq' },
      ]),
    );
  });

  it('names every proxy variable, so that the configuration of the engine sets none', () => {
    expect(plan({}, {}).run.environment).toEqual(
      expect.arrayContaining([
        'HTTP_PROXY',
        'http_proxy',
        'HTTPS_PROXY',
        'https_proxy',
        'ALL_PROXY',
        'all_proxy',
        'FTP_PROXY',
        'ftp_proxy',
      ]),
    );
  });

  it('S10: publishes no port of the container', () => {
    const planned = plan();
    expect(planned.run.publish).toBeUndefined();
    const args = runArguments(planned.run, facts().engine);
    const options = args.slice(0, args.indexOf(planned.run.image));
    expect(options).toContain('--workdir');
    expect(options.filter((option) => /^(?:-p|-P|--publish)/.test(option))).toEqual([]);
  });

  it('S05: mounts nothing where a link is, says so, and makes no directory there', () => {
    const planned = plan({}, {}, { blockedMounts: [{ path: '.pi/npm', reason: 'symbolic-link' }] });
    expect(planned.run.mounts.map((mount) => mount.target)).not.toContain('/home/me/repo/.pi/npm');
    expect(planned.mountPoints).toEqual(['.pi/git']);
    expect(planned.writable).not.toContain('/home/me/repo/.pi/npm');
    expect(planned.notices).toContainEqual({ code: 'shadow-skipped', path: '/home/me/repo/.pi/npm', reason: 'symbolic-link' });
  });

  it('B06: has every directory below the repository made before the engine would make it', () => {
    expect(plan().mountPoints).toEqual(['.pi/npm', '.pi/git']);
  });

  it('B12: a rootless docker gets no user at all, and the agent sees itself as root', () => {
    const planned = plan({}, {}, { engine: { ...facts().engine, rootless: true } });
    expect(planned.run.user).toBeUndefined();
    expect(planned.run.userns).toBeUndefined();
    expect(planned.inside).toEqual({ uid: 0, gid: 0 });
  });

  it('switches the SELinux separation of this container off where it is enforced, and relabels nothing', () => {
    expect(plan({}, {}, { engine: { ...facts().engine, selinux: true } }).run.securityOptions).toEqual(['label=disable']);
    expect(plan().run.securityOptions).toBeUndefined();
  });

  it('warns of the home directory as repository and of a dev container that is not used', () => {
    const environment = { HOME: '/home/me/repo' };
    const repository = { ...facts().repository, devcontainer: '.devcontainer.json' };
    expect(plan({}, environment, { repository }).notices).toEqual(
      expect.arrayContaining([
        { code: 'home-as-repository', path: '/home/me/repo' },
        { code: 'devcontainer-ignored', path: '.devcontainer.json' },
      ]),
    );
    expect(plan({ devcontainer: false }, {}, { repository }).notices.map(({ code }) => code)).not.toContain(
      'devcontainer-ignored',
    );
  });
});
