import { findCredentials, PI_ROUTES, type Credential, type RouteVariable } from '@doompi-sandbox/broker';
import { detectEngine, type Engine, type EngineName } from '@doompi-sandbox/engine';
import { AGENTS } from '@doompi-sandbox/image';
import { LaunchError } from '../../error.ts';
import { readOwner, type Owner } from '../../sessions/owner.ts';
import { findBlockedMounts, type BlockedMount } from '../../storage/mount-points.ts';
import { repositoryIdentity } from '../../storage/repository-identity.ts';
import type { Host } from './host.ts';
import { assertPassable } from './passable.ts';
import { inspectRepository, type Repository } from './repository.ts';
import type { Environment, Settings } from '../settings/settings.ts';

/** An engine that comes before the one that is used, and cannot be used. */
export interface SkippedEngine {
  readonly candidate: EngineName;
  readonly reason: string;
}

/** What was observed before a launch is planned. */
export interface Facts {
  readonly engine: Engine;
  readonly skippedEngines: readonly SkippedEngine[];
  readonly repository: Repository;
  /** What tells the repository from another one at its path: see `repositoryIdentity`. */
  readonly identity: string;
  /** Paths of the agent below the repository on which nothing can be mounted. */
  readonly blockedMounts: readonly BlockedMount[];
  readonly owner: Owner;
  readonly host: Host;
  /** Keys of the host that the broker will serve; empty when it is off or there are none. */
  readonly credentials: readonly Credential[];
  /** Every variable that may hold a key the broker knows. */
  readonly credentialVariables: ReadonlySet<string>;
}

export interface FactsRequest {
  readonly settings: Settings;
  readonly environment: Environment;
  readonly repoRoot: string;
  readonly cwd: string;
  readonly host: Host;
}

/**
 * Keys to broker. A provider whose key the person passes in clear is not brokered, also when another variable of it is set: the agent
 * would send the real key, which it prefers, to the bridge.
 */
export const brokerable = ({ settings, environment }: Pick<FactsRequest, 'settings' | 'environment'>): readonly Credential[] => {
  if (!settings.broker) return [];
  const isSet = ({ name }: RouteVariable): boolean => (environment[name] ?? '').trim() !== '';
  const passed = new Set(settings.passVariables);
  const routes = PI_ROUTES.filter(({ variables }) => !passed.has(variables.find(isSet)?.name ?? ''));
  return findCredentials(environment, routes);
};

/**
 * Asks the world, independent questions side by side.
 * @throws LaunchError LAUNCH_PLATFORM_UNSUPPORTED off Linux, and what `inspectRepository` and `detectEngine` throw.
 */
export const gatherFacts = async (request: FactsRequest): Promise<Facts> => {
  const { settings, environment, host } = request;
  if (host.platform !== 'linux') {
    throw new LaunchError(
      'LAUNCH_PLATFORM_UNSUPPORTED',
      `this version runs on Linux only; on ${host.platform} it has not been run`,
      { platform: host.platform },
    );
  }
  const repository = await inspectRepository(request);
  const { root } = repository;
  const agent = AGENTS[settings.agent];
  const skippedEngines: SkippedEngine[] = [];
  const [engine, owner, identity, blockedMounts] = await Promise.all([
    detectEngine({
      environment,
      repoRoot: root,
      override: settings.engine,
      endpoint: settings.endpoint,
      onSkipped: ({ candidate, error }) => skippedEngines.push({ candidate, reason: error.message }),
    }),
    readOwner(host.pid, host.uid),
    repositoryIdentity(root),
    findBlockedMounts(root, [...agent.shadowPaths, ...agent.packagePaths]),
  ]);
  assertPassable(settings, engine);
  const credentialVariables = new Set(PI_ROUTES.flatMap((route) => route.variables.map((variable) => variable.name)));
  return {
    engine,
    skippedEngines,
    repository,
    identity,
    blockedMounts,
    owner,
    host,
    credentials: brokerable(request),
    credentialVariables,
  };
};
