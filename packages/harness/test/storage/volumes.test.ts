import { AGENTS } from '@doompi-sandbox/image';
import { describe, expect, it } from 'vitest';
import { storageName } from '../../src/storage/volume-names.ts';
import { modulesOf, sessionVolumes, type VolumesInput } from '../../src/storage/volumes.ts';

const key = { repository: '/home/me/repo', uid: 1000, agent: 'pi', platform: 'linux/amd64' };

const input: VolumesInput = {
  storage: 'doompi-sandbox-0',
  agent: AGENTS.pi,
  repository: '/home/me/repo',
  identity: '7-5',
  uid: 1000,
  modules: 'node24',
};

describe('the name of the volumes', () => {
  it('B11: another repository, user, agent or platform has other volumes', () => {
    const names = [
      key,
      { ...key, repository: '/home/me/repo2' },
      { ...key, uid: 1001 },
      { ...key, agent: 'doompi' },
      { ...key, platform: 'linux/arm64' },
      { ...key, identity: '7-5' },
    ].map(storageName);
    expect(new Set(names).size).toBe(names.length);
    expect(storageName({ ...key })).toBe(names[0]);
  });
});

describe('the volumes of a session', () => {
  it("of pi keep the project's .pi visible and give its package stores volumes", () => {
    expect(sessionVolumes(input).map(({ name, target }) => [name, target])).toEqual([
      ['doompi-sandbox-0-home', '/doompi-home'],
      ['doompi-sandbox-0-node24-home-npm', '/doompi-home/.pi/agent/npm'],
      ['doompi-sandbox-0-node24-home-git', '/doompi-home/.pi/agent/git'],
      ['doompi-sandbox-0-node24-pi-npm', '/home/me/repo/.pi/npm'],
      ['doompi-sandbox-0-node24-pi-git', '/home/me/repo/.pi/git'],
    ]);
  });

  it('of doompi hide .pi as a whole, its package stores on top', () => {
    const targets = sessionVolumes({ ...input, agent: AGENTS.doompi }).map(({ repositoryPath }) => repositoryPath);
    expect(targets.slice(3)).toEqual(['.pi', '.pi/npm', '.pi/git']);
  });

  it('B22: another Node release line has other package stores and the same home', () => {
    const [old, next] = [sessionVolumes(input), sessionVolumes({ ...input, modules: 'node26' })];
    expect(next[0]).toEqual(old[0]);
    expect(next.slice(1).filter(({ name }) => old.some((volume) => volume.name === name))).toEqual([]);
  });

  it('carry who they belong to', () => {
    for (const { labels } of sessionVolumes(input))
      expect(labels).toEqual({
        'doompi.sandbox.repo': '/home/me/repo',
        'doompi.sandbox.repo-identity': '7-5',
        'doompi.sandbox.agent': 'pi',
        'doompi.sandbox.uid': '1000',
      });
  });
});

describe('what native modules are built for', () => {
  it.each([
    [['PATH=/bin', 'NODE_VERSION=24.21.0'], 'node24'],
    [['NODE_VERSION=v22.19.0'], 'node22'],
    [['PATH=/bin'], '0123456789ab'],
    [['NODE_VERSION=lts'], '0123456789ab'],
  ])('%j', (environment, modules) => {
    expect(modulesOf({ id: 'sha256:0123456789abcdef', environment })).toBe(modules);
  });
});
