import { isBrokerError, PI_ROUTES, upstreamUrl } from '@doompi-sandbox/broker';
import { isBaseImage } from '@doompi-sandbox/image';
import { LaunchError } from '../../error.ts';
import { TRANSPORT_SETTINGS, type TransportSetting } from '../../transport/candidates.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a caller may set for every launch; each wins over its variable. */
export interface LauncherOptions {
  /** Agent to run. Default: `DOOMPI_SANDBOX_AGENT`, else `defaultAgent`. */
  readonly agent?: string | undefined;
  /** Agent when nobody names one. Default: `doompi`. */
  readonly defaultAgent?: 'pi' | 'doompi';
  /** npm spec or path of a local tarball to install instead of the pinned version. Default: `DOOMPI_SANDBOX_AGENT_PACKAGE`. */
  readonly agentPackage?: string | undefined;
  /** Base image reference. Default: `DOOMPI_SANDBOX_BASE_IMAGE`, else the image package's own. */
  readonly baseImage?: string | undefined;
  /** Engine to use. Default: `DOOMPI_SANDBOX_ENGINE`, else detection. */
  readonly engine?: string | undefined;
  /** Where docker's server listens, such as `unix:///run/docker.sock`. Default: `DOOMPI_SANDBOX_ENDPOINT`, else what docker itself uses. */
  readonly endpoint?: string | undefined;
  /** How the session reaches this launcher. Default: `DOOMPI_SANDBOX_TRANSPORT`, else `auto`: what the engine needs. */
  readonly transport?: string | undefined;
  /** OCI runtime for the container. Default: `DOOMPI_SANDBOX_RUNTIME`, else the engine's own. */
  readonly runtime?: string | undefined;
  /** Whether provider calls are brokered. Default: true, unless `DOOMPI_SANDBOX_BROKER=0`. */
  readonly broker?: boolean;
  /** Names of host variables that enter the container on the person's wish, secrets included. */
  readonly passVariables?: readonly string[];
  /** Base URL per provider id that replaces the provider's own. Plain http only to loopback. */
  readonly upstreams?: Readonly<Record<string, string>>;
  /** Whether to say that a dev container configuration is not used. Default: true, unless `DOOMPI_SANDBOX_DEVCONTAINER=0`. */
  readonly devcontainer?: boolean;
}

/** Everything that was asked for, parsed once; nothing after this reads `DOOMPI_*`. */
export interface Settings {
  readonly agent: 'pi' | 'doompi';
  readonly agentPackage: string | undefined;
  readonly baseImage: string | undefined;
  readonly engine: string | undefined;
  readonly endpoint: string | undefined;
  readonly transport: TransportSetting;
  readonly runtime: string | undefined;
  readonly broker: boolean;
  readonly passVariables: readonly string[];
  readonly upstreams: Readonly<Record<string, string>>;
  /** Whether a dev container configuration in the repository is to be left alone without a word. */
  readonly devcontainerOff: boolean;
}

/** POSIX variable names; others cannot be given to `-e NAME` on every engine. */
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Variables whose value the image, the launcher or the engine's own client owns. */
const OWNED = /^(?:HOME|PATH|PI_CODING_AGENT_DIR|DOCKER_.*|DOOMPI_SANDBOX.*|DOOMPI_BROKER_.*)$/;

const text = (value: string | undefined): string | undefined => {
  const trimmed = value?.trim();
  return trimmed === '' ? undefined : trimmed;
};

const flag = (environment: Environment, name: string, problems: string[]): boolean => {
  const value = text(environment[name]);
  if (value !== undefined && value !== '0' && value !== '1')
    problems.push(`${name} must be 0 or 1, not ${JSON.stringify(value)}`);
  return value !== '0';
};

const agentId = (value: string, problems: string[]): 'pi' | 'doompi' => {
  if (value === 'pi' || value === 'doompi') return value;
  problems.push(`the agent must be pi or doompi, not ${JSON.stringify(value)}`);
  return 'pi';
};

const transportSetting = (value: string, problems: string[]): TransportSetting => {
  const found = TRANSPORT_SETTINGS.find((setting) => setting === value);
  if (found === undefined)
    problems.push(`the transport must be one of ${TRANSPORT_SETTINGS.join(', ')}, not ${JSON.stringify(value)}`);
  return found ?? 'auto';
};

/** A runtime's name as engines have it in their configuration, or a path of it (podman). */
const RUNTIME = /^[\w/][\w./+-]*$/;

const runtimeName = (value: string | undefined, problems: string[]): string | undefined => {
  if (value === undefined || RUNTIME.test(value)) return value;
  problems.push(`${JSON.stringify(value)} is not the name of a runtime`);
  return undefined;
};

const passProblems = (name: string): string | undefined => {
  if (name.includes('='))
    return `--env takes a name only, its value comes from the environment: give ${name.slice(0, name.indexOf('='))} without a value`;
  if (!VARIABLE_NAME.test(name)) return `${JSON.stringify(name)} is not a variable name`;
  if (OWNED.test(name)) return `${name} belongs to the sandbox and cannot be passed in`;
  return undefined;
};

const upstreamProblems = ([provider, url]: readonly [string, string]): string | undefined => {
  if (!PI_ROUTES.some(({ id }) => id === provider))
    return `--upstream names ${JSON.stringify(provider)}, which is no provider that can be brokered`;
  try {
    upstreamUrl(provider, url);
  } catch (error) {
    if (!isBrokerError(error, 'BROKER_UPSTREAM_REFUSED')) throw error;
    return `the upstream of ${provider} ${error.details.problem}`;
  }
  return undefined;
};

const baseImageProblem = (reference: string): string | undefined =>
  isBaseImage(reference) ? undefined : `the base image must be an image reference, not ${JSON.stringify(reference)}`;

/** Settings, and every mistake in what they were read from. */
export interface ReadSettings {
  /** Without what is wrong: its default stands there. */
  readonly settings: Settings;
  readonly problems: readonly string[];
}

/** Settings of one launch from options and environment, also when some of them are wrong: for a report. */
export const readSettings = (options: LauncherOptions, environment: Environment): ReadSettings => {
  const problems: string[] = [];
  const valid = <Value>(value: Value, problem: (value: Value) => string | undefined): boolean => {
    const found = problem(value);
    if (found !== undefined) problems.push(found);
    return found === undefined;
  };
  const passVariables = [...new Set(options.passVariables)].filter((name) => valid(name, passProblems));
  const upstreams = Object.fromEntries(Object.entries(options.upstreams ?? {}).filter((each) => valid(each, upstreamProblems)));
  if (text(environment['DOOMPI_SANDBOX_RUN_FLAGS']) !== undefined)
    problems.push('DOOMPI_SANDBOX_RUN_FLAGS is set, but this version passes no extra flags to the engine: unset it');
  const brokerVariable = flag(environment, 'DOOMPI_SANDBOX_BROKER', problems);
  const devcontainerVariable = flag(environment, 'DOOMPI_SANDBOX_DEVCONTAINER', problems);
  const agent = agentId(
    text(options.agent) ?? text(environment['DOOMPI_SANDBOX_AGENT']) ?? options.defaultAgent ?? 'doompi',
    problems,
  );
  const transport = transportSetting(
    text(options.transport) ?? text(environment['DOOMPI_SANDBOX_TRANSPORT']) ?? 'auto',
    problems,
  );
  const runtime = runtimeName(text(options.runtime) ?? text(environment['DOOMPI_SANDBOX_RUNTIME']), problems);
  const baseImage = text(options.baseImage) ?? text(environment['DOOMPI_SANDBOX_BASE_IMAGE']);
  const settings: Settings = {
    agent,
    agentPackage: text(options.agentPackage) ?? text(environment['DOOMPI_SANDBOX_AGENT_PACKAGE']),
    baseImage: baseImage !== undefined && valid(baseImage, baseImageProblem) ? baseImage : undefined,
    engine: text(options.engine) ?? text(environment['DOOMPI_SANDBOX_ENGINE']),
    endpoint: text(options.endpoint) ?? text(environment['DOOMPI_SANDBOX_ENDPOINT']),
    transport,
    runtime,
    broker: options.broker ?? brokerVariable,
    passVariables,
    upstreams,
    devcontainerOff: !(options.devcontainer ?? devcontainerVariable),
  };
  return { settings, problems };
};

/**
 * Settings of one launch from options and environment.
 * @throws LaunchError LAUNCH_SETTINGS_INVALID naming every mistake at once.
 */
export const parseSettings = (options: LauncherOptions, environment: Environment): Settings => {
  const { settings, problems } = readSettings(options, environment);
  if (problems.length > 0) throw new LaunchError('LAUNCH_SETTINGS_INVALID', problems.join('\n'), { problems });
  return settings;
};
