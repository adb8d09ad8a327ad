import type { Agent } from '@doompi-sandbox/image';
import { openAcceptance } from '../storage/acceptance.ts';
import type { StorageRequest } from '../storage/choose-storage.ts';
import type { Facts } from './facts/facts.ts';
import type { Environment } from './settings/settings.ts';
import { baseDirectory } from './settings/xdg.ts';

/** Whose volumes a launch asks for. `modules` is what the image's native modules are built for: see `modulesOf`. */
export const storageRequest = (
  { engine, repository, identity, host }: Facts,
  agent: Agent,
  modules: string,
  environment: Environment,
): StorageRequest => ({
  key: {
    repository: repository.root,
    uid: host.uid,
    agent: agent.id,
    platform: `${engine.platform.os}/${engine.platform.architecture}`,
  },
  identity,
  agent,
  modules,
  acceptance: openAcceptance(baseDirectory(environment, 'XDG_STATE_HOME')),
});
