import { assertVariableName } from './assert-names.ts';
import { assertHosts, HOST_GATEWAY, type HostEntry } from './host-entry.ts';
import { isClientVariable } from '../command/client-variables.ts';
import type { EngineTraits } from '../differences/engine-traits.ts';
import { type EngineError, engineError } from '../error.ts';
import { type Mount, mountFlag } from './mount.ts';
import type { EngineName } from '../names.ts';
import { type EngineKind, traitsOf, variantOf } from '../differences/traits-of.ts';

/** A port of the container made reachable on the host. */
export interface PortBinding {
  /** Address on the host, such as `127.0.0.1`. */
  readonly hostIp: string;
  readonly hostPort: number;
  readonly containerPort: number;
}

/** What to run, fully resolved. Holds no value of any environment variable. */
export interface RunSpec {
  /** Image reference. */
  readonly image: string;
  /** Command and arguments, handed to the image's entrypoint. */
  readonly command: readonly string[];
  /** Keep stdin open. */
  readonly interactive: boolean;
  /** Allocate a terminal. */
  readonly tty: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /** Names only. Their values come from the environment of the client's process; a name that is unset there stays unset inside. */
  readonly environment: readonly string[];
  /** Absolute path in the container. */
  readonly workdir: string;
  readonly user?: { readonly uid: number; readonly gid: number };
  /** User namespace: the engine's `host`, or `keep-id` of rootless podman, where the person has the same ids inside and outside. */
  readonly userns?: 'host' | 'keep-id';
  /** OCI runtime, such as `runsc`; default the engine's own. */
  readonly runtime?: string;
  /** Lines for the container's `/etc/hosts`. */
  readonly addHosts?: readonly HostEntry[];
  readonly name?: string;
  /** Network name or mode, such as `none`. */
  readonly network?: string;
  /** File on the host that receives the container's id; it must not exist. */
  readonly cidFile?: string;
  /** The image is there already or the run fails. */
  readonly pull: 'never';
  readonly publish?: readonly PortBinding[];
  /** Capabilities to drop, such as `ALL`. */
  readonly dropCapabilities?: readonly string[];
  /** Such as `no-new-privileges`. */
  readonly securityOptions?: readonly string[];
  /** Root file system read-only; default false. */
  readonly readOnlyRoot?: boolean;
  /** Further options as the person wrote them, last before the image. */
  readonly flags?: readonly string[];
}

const pairs = (option: string, values: readonly string[] | undefined): string[] =>
  (values ?? []).flatMap((value) => [option, value]);

const optional = (option: string, value: string | undefined): string[] => (value === undefined ? [] : [option, value]);

const assertVariable = (name: string, engine: EngineName): void => {
  assertVariableName(name);
  if (isClientVariable(name, engine))
    throw new TypeError(`environment: ${name} is read by the engine's own client and cannot carry a value; set it in the image`);
};

const hostAddress = (address: string): string => (address.includes(':') ? `[${address}]` : address);

const assertImage = (image: string): void => {
  if (!/^[a-zA-Z0-9]/.test(image)) throw new TypeError(`image: expected an image reference, got ${JSON.stringify(image)}`);
};

const assertSupported = (spec: RunSpec, engine: EngineKind, traits: EngineTraits): void => {
  const variant = variantOf(engine);
  const refuse = (option: string, value: string, advice: string): EngineError =>
    engineError('ENGINE_OPTION_UNSUPPORTED', `${option}: ${variant} ${engine.clientVersion} does not know ${value}; ${advice}.`, {
      engine: variant,
      option,
      value,
    });
  if (spec.userns === 'keep-id' && traits.keepId === 'refused') throw refuse('userns', 'keep-id', 'only rootless podman does');
  if (spec.userns === 'host' && traits.usernsHost === 'refused')
    throw refuse('userns', 'host', 'leave it out: its containers are in the user namespace of the engine');
  if (traits.hostGateway === 'refused' && spec.addHosts?.some(({ address }) => address === HOST_GATEWAY) === true)
    throw refuse('addHosts', HOST_GATEWAY, 'give the address itself, or use the name host.containers.internal');
  for (const mount of spec.mounts) {
    if (mount.type === 'volume' && Object.keys(mount.labels ?? {}).length > 0 && traits.volumeLabels === 'create')
      throw refuse('mounts', `labels of the volume ${mount.source}`, 'create the volume with createVolume first');
    if (mount.type === 'bind' && mount.relabel !== undefined && traits.mountRelabel === 'refused')
      throw refuse('mounts', `relabel=${mount.relabel}`, 'use the security option label=disable');
  }
};

const userOption = (user: RunSpec['user']): string | undefined => (user === undefined ? undefined : `${user.uid}:${user.gid}`);

/**
 * Arguments of the engine's command for a run that removes its container at the end. Pure.
 * @throws TypeError for a mount, variable name, host or image reference that the engine would read in another way; EngineError
 * ENGINE_OPTION_UNSUPPORTED for what this engine cannot do
 */
export const runArguments = (spec: RunSpec, engine: EngineKind): string[] => {
  const traits = traitsOf(engine);
  assertImage(spec.image);
  spec.environment.forEach((name) => assertVariable(name, engine.name));
  assertHosts(spec.addHosts ?? []);
  assertSupported(spec, engine, traits);
  return [
    'run',
    '--rm',
    '--pull',
    spec.pull,
    // Only what is named in `environment` enters: podman would add the proxies that its client uses itself.
    ...(traits.proxyVariables === 'handed-on' ? ['--http-proxy=false'] : []),
    ...(spec.interactive ? ['--interactive'] : []),
    ...(spec.tty ? ['--tty'] : []),
    ...optional('--name', spec.name),
    ...optional('--cidfile', spec.cidFile),
    ...pairs(
      '--label',
      Object.entries(spec.labels).map(([name, value]) => `${name}=${value}`),
    ),
    ...spec.mounts.flatMap((mount) => [...mountFlag(mount)]),
    ...optional('--network', spec.network),
    ...pairs(
      '--add-host',
      spec.addHosts?.map(({ name, address }) => `${name}:${address}`),
    ),
    ...pairs(
      '--publish',
      spec.publish?.map(({ hostIp, hostPort, containerPort }) => `${hostAddress(hostIp)}:${hostPort}:${containerPort}`),
    ),
    ...pairs('--cap-drop', spec.dropCapabilities),
    ...pairs('--security-opt', spec.securityOptions),
    ...(spec.readOnlyRoot === true ? ['--read-only'] : []),
    ...optional('--runtime', spec.runtime),
    ...optional('--userns', spec.userns),
    '--workdir',
    spec.workdir,
    ...optional('--user', userOption(spec.user)),
    ...pairs('--env', spec.environment),
    ...(spec.flags ?? []),
    spec.image,
    ...spec.command,
  ];
};
