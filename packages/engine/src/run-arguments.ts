import { isClientVariable } from './client-variables.ts';
import type { Engine } from './engine.ts';
import { type Mount, mountFlag } from './mount.ts';
import type { EngineName } from './names.ts';

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
  /** Lines for the container's `/etc/hosts`. `host-gateway` as an address is refused where the engine does not know it. */
  readonly addHosts?: readonly { readonly name: string; readonly address: string }[];
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
  if (!/^[^=\s\0]+$/.test(name))
    throw new TypeError(`environment: expected names of variables without values, got an entry of ${name.length} characters`);
  if (isClientVariable(name, engine))
    throw new TypeError(`environment: ${name} is read by the engine's own client and cannot carry a value; set it in the image`);
};

const assertImage = (image: string): void => {
  if (!/^[a-zA-Z0-9]/.test(image)) throw new TypeError(`image: expected an image reference, got ${JSON.stringify(image)}`);
};

/** What of an engine decides about its arguments. */
export type RunEngine = Pick<Engine, 'name' | 'clientVersion' | 'rootless' | 'usernsRemap'>;

/**
 * Arguments of the engine's command for a run that removes its container at the end.
 * @throws TypeError for a mount, variable name or image reference that the engine would read in another way
 */
export const runArguments = (spec: RunSpec, engine: RunEngine): string[] => {
  assertImage(spec.image);
  spec.environment.forEach((name) => assertVariable(name, engine.name));
  return [
    'run',
    '--rm',
    '--pull',
    spec.pull,
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
      '--publish',
      spec.publish?.map(({ hostIp, hostPort, containerPort }) => `${hostIp}:${hostPort}:${containerPort}`),
    ),
    ...pairs('--cap-drop', spec.dropCapabilities),
    ...pairs('--security-opt', spec.securityOptions),
    ...(spec.readOnlyRoot === true ? ['--read-only'] : []),
    ...optional('--userns', spec.userns),
    ...optional('--runtime', spec.runtime),
    ...pairs(
      '--add-host',
      spec.addHosts?.map(({ name, address }) => `${name}:${address}`),
    ),
    '--workdir',
    spec.workdir,
    ...optional('--user', spec.user === undefined ? undefined : `${spec.user.uid}:${spec.user.gid}`),
    ...pairs('--env', spec.environment),
    ...(spec.flags ?? []),
    spec.image,
    ...spec.command,
  ];
};
