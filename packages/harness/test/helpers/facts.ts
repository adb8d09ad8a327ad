import { AGENTS } from '@doompi-sandbox/image';
import type { Facts } from '../../src/launch/facts/facts.ts';
import { sessionVolumes, type SessionVolume } from '../../src/storage/volumes.ts';
import { engineOf } from './engine.ts';

/** Facts of a person at `/home/me/repo` with docker, and nothing to broker. */
export const factsOf = (overrides: Partial<Facts> = {}): Facts => ({
  engine: engineOf(),
  skippedEngines: [],
  repository: { root: '/home/me/repo', cwd: '/home/me/repo/sub', devcontainer: undefined },
  identity: '7-5',
  blockedMounts: [],
  owner: { uid: 1000, bootId: 'boot', pidNamespace: 'pid:[1]', pid: 42, startTime: '7' },
  host: {
    platform: 'linux',
    arch: 'x64',
    pid: 42,
    uid: 1000,
    gid: 100,
    userName: 'me',
    temporaryDirectory: '/tmp',
    stdinIsTerminal: true,
    stdoutIsTerminal: true,
  },
  credentials: [],
  credentialVariables: new Set(),
  ...overrides,
});

/** The volumes of pi in that repository. */
export const VOLUMES: readonly SessionVolume[] = sessionVolumes({
  storage: 'doompi-sandbox-0',
  agent: AGENTS.pi,
  repository: '/home/me/repo',
  identity: '7-5',
  uid: 1000,
  modules: 'node24',
});
