import { BRIDGE_PORT, LABELS, SESSION_DIRECTORY, TUNNEL_DIRECTORY } from '@doompi-sandbox/contract';
import type { Mount, RunSpec } from '@doompi-sandbox/engine';
import type { Notice } from '../../notice.ts';
import { ownerLabels } from '../../sessions/owner.ts';
import { outermost } from '../../storage/outermost.ts';
import type { SessionVolume } from '../../storage/volumes.ts';
import { planTransports, type TransportPlan } from '../../transport/candidates.ts';
import { planEnvironment } from './environment.ts';
import type { Facts } from '../facts/facts.ts';
import { planIdentity, type Identity } from './identity.ts';
import { PROXY_VARIABLES } from './proxy.ts';
import type { Environment, Settings } from '../settings/settings.ts';

/** One launch, decided. Holds no value of a variable that may be secret; its command line is the person's own: print `previewOf` it. */
export interface LaunchPlan {
  readonly sessionId: string;
  /** Everything the engine is told, but for the host directory of the session, which exists only once the plan is applied. */
  readonly run: RunSpec;
  /** Values of the variables in `run.environment` that are known now. A variable named there that is in none of these three stays unset. */
  readonly environment: Readonly<Record<string, string>>;
  /** Variables in `run.environment` whose host value enters on the person's wish. */
  readonly passed: readonly string[];
  /** Variables in `run.environment` that will hold session tokens. */
  readonly tokens: readonly string[];
  /** User and group that the agent sees itself as. */
  readonly inside: Identity['inside'];
  /** Absolute paths in the container that the agent's user must be able to write. */
  readonly writable: readonly string[];
  /** Paths below the repository that must be directories before the container is made. */
  readonly mountPoints: readonly string[];
  /** Port of the bridge, when anything is brokered. */
  readonly bridgePort: number | undefined;
  /** How the session may reach this launcher. */
  readonly transport: TransportPlan;
  readonly notices: readonly Notice[];
}

export interface PlanInput {
  readonly settings: Settings;
  readonly facts: Facts;
  readonly environment: Environment;
  readonly sessionId: string;
  readonly imageReference: string;
  /** Command of the agent and its arguments. */
  readonly command: readonly string[];
  readonly version: string;
  readonly volumes: readonly SessionVolume[];
  /** Host directory mounted at `/run/doompi`. */
  readonly sessionMount: string;
}

const brokerNotice = ({ settings, facts }: PlanInput, providers: readonly string[]): Notice => {
  if (!settings.broker) return { code: 'broker-off' };
  return providers.length > 0
    ? { code: 'brokering', providers }
    : { code: 'nothing-to-broker', variables: [...facts.credentialVariables] };
};

/** Any user of the container may make a socket in it, as in `/tmp`; only who made one may remove it. */
const TUNNEL_MOUNT: Mount = { type: 'tmpfs', target: TUNNEL_DIRECTORY, options: 'mode=1777,size=64k' };

/** What the container needs for its transports. */
const transportRun = ({ candidates, tcp }: TransportPlan): { readonly mounts: readonly Mount[]; readonly network?: string } => ({
  mounts: candidates.includes('tunnel') ? [TUNNEL_MOUNT] : [],
  ...(tcp?.listen === 'loopback' && tcp.network !== undefined ? { network: tcp.network } : {}),
});

const notices = (input: PlanInput, providers: readonly string[], network: string | undefined): readonly Notice[] => {
  const { settings, facts, environment } = input;
  const { repository } = facts;
  const found: Notice[] = [brokerNotice(input, providers)];
  for (const [provider, upstream] of Object.entries(settings.upstreams))
    found.push(
      providers.includes(provider) ? { code: 'upstream-overridden', provider, upstream } : { code: 'upstream-unused', provider },
    );
  if (network !== undefined) found.push({ code: 'loopback-opened', network });
  if (repository.root === environment['HOME']) found.push({ code: 'home-as-repository', path: repository.root });
  if (repository.devcontainer !== undefined && !settings.devcontainerOff)
    found.push({ code: 'devcontainer-ignored', path: repository.devcontainer });
  for (const { path, reason } of facts.blockedMounts)
    found.push({ code: 'shadow-skipped', path: `${repository.root}/${path}`, reason });
  return found;
};

/** Volumes that can be mounted; below the repository a blocked path has none. */
const mountable = ({ volumes, facts }: PlanInput): readonly SessionVolume[] => {
  const blocked = new Set(facts.blockedMounts.map(({ path }) => path));
  return volumes.filter(({ repositoryPath }) => repositoryPath === undefined || !blocked.has(repositoryPath));
};

/** Decides everything about a launch from what was asked for and what was observed. */
export const planLaunch = (input: PlanInput): LaunchPlan => {
  const { settings, facts, sessionId, imageReference, command, version } = input;
  const { repository, host, credentials } = facts;
  const providers = [...new Set(credentials.flatMap((credential) => credential.providers))];
  const tokens = credentials.map((credential) => credential.variable);
  const transport = planTransports({ setting: settings.transport, engine: facts.engine, runtime: settings.runtime });
  const { mounts: transportMounts, network } = transportRun(transport);
  const environment = planEnvironment({
    environment: input.environment,
    agent: settings.agent,
    passVariables: settings.passVariables,
    credentialVariables: facts.credentialVariables,
    providers,
    socket: transport.candidates.includes('socket'),
  });
  const identity = planIdentity(facts.engine, host);
  const volumes = mountable(input);
  const volumeMounts = volumes.map(({ name, target }): Mount => ({ type: 'volume', source: name, target }));
  const run: RunSpec = {
    image: imageReference,
    command,
    interactive: true,
    pull: 'never',
    tty: host.stdinIsTerminal && host.stdoutIsTerminal,
    name: `doompi-sandbox-${sessionId}`,
    labels: {
      [LABELS.repository]: repository.root,
      [LABELS.session]: sessionId,
      [LABELS.version]: version,
      [LABELS.agent]: settings.agent,
      ...ownerLabels(facts.owner),
    },
    mounts: [
      { type: 'bind', source: repository.root, target: repository.root },
      ...volumeMounts,
      ...transportMounts,
      // Read-only: connecting still works, and nothing inside can replace a socket or plant a file (S07).
      { type: 'bind', source: input.sessionMount, target: SESSION_DIRECTORY, readOnly: true },
    ],
    environment: [
      ...new Set([...PROXY_VARIABLES, ...Object.keys(environment.values), ...environment.passed, ...tokens]),
    ].toSorted(),
    workdir: repository.cwd,
    ...(identity.user === undefined ? {} : { user: identity.user }),
    ...(identity.userns === undefined ? {} : { userns: identity.userns }),
    // Relabelling would change the person's files; a container's domain may not connect to the launcher's sockets either.
    ...(facts.engine.selinux ? { securityOptions: ['label=disable'] } : {}),
    ...(network === undefined ? {} : { network }),
    ...(settings.runtime === undefined ? {} : { runtime: settings.runtime }),
  };
  return {
    sessionId,
    run,
    environment: environment.values,
    passed: environment.passed,
    tokens,
    inside: identity.inside,
    writable: volumes.map(({ target }) => target),
    mountPoints: outermost(volumes.flatMap(({ repositoryPath }) => repositoryPath ?? [])),
    bridgePort: providers.length > 0 ? BRIDGE_PORT : undefined,
    transport,
    notices: [...notices(input, providers, network), ...identity.notices, ...environment.notices],
  };
};
