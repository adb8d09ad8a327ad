import { ask } from './ask.ts';
import { clientEnvironment } from '../command/client-environment.ts';
import type { CaptureResult } from '../command/command.ts';
import { assertTrustedConfiguration } from '../endpoint/configuration.ts';
import { isPodmanReport, podmanFrom } from './detect-podman.ts';
import { dockerServerFacts, type DockerServerFacts } from './docker-server-facts.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { Engine, EngineLocation } from '../engine.ts';
import { type EngineError, isEngineError } from '../error.ts';
import { isObject, type JsonObject, textOf } from '../command/json.ts';
import { tooOld } from './minimum-versions.ts';
import { parseReport, type ProbeEngine, type ProbeOptions } from './probe.ts';
import { resolveEndpoint, type ResolvedEndpoint } from '../endpoint/resolve-endpoint.ts';
import { isSelinuxEnforcing } from './selinux.ts';
import { unreachable } from './unreachable.ts';
import { unsupported } from './unsupported.ts';

const VERSION = ['version', '--format', '{{json .}}'];

const components = (server: JsonObject): readonly JsonObject[] =>
  Array.isArray(server['Components']) ? server['Components'].filter(isObject) : [];

const named = (server: JsonObject, name: string): boolean =>
  components(server).some((component) => textOf(component['Name']).startsWith(name));

/** Why a report that is not Podman's cannot be used, or undefined when it can. */
const unsupportedReason = (report: JsonObject): string | undefined => {
  const client = report['Client'];
  if (!isObject(client) || typeof client['ApiVersion'] !== 'string')
    return 'this docker command does not report its version as Docker does';
  const old = tooOld('docker', 'command', textOf(client['Version']));
  if (old !== undefined) return old;
  const server = report['Server'];
  if (!isObject(server)) return undefined;
  // Its API answers for docker's with other rules (keep-id, volume labels, names of images), which the docker command cannot spell.
  if (named(server, 'Podman')) return 'its server is Podman: use the podman command, or point DOCKER_HOST at a Docker server';
  if (server['Os'] !== 'linux') return `its server runs ${textOf(server['Os'])} containers; Linux containers are needed`;
  return tooOld('docker', 'server', textOf(server['Version']));
};

/** A Unix socket may lead into a virtual machine, whose kernel is another one; what is behind tcp and ssh is not known to share files. */
const locationOf = (endpoint: Endpoint, server: JsonObject, facts: DockerServerFacts, kernelRelease: string): EngineLocation => {
  if (endpoint.transport !== 'unix') return 'remote';
  const desktop = facts.operatingSystem === 'Docker Desktop';
  const kernel = textOf(server['KernelVersion']);
  return desktop || (kernel !== '' && kernel !== kernelRelease) ? 'vm' : 'native';
};

const engineFrom = async (
  file: string,
  report: JsonObject,
  resolved: ResolvedEndpoint,
  facts: DockerServerFacts,
  environment: Readonly<Record<string, string>>,
  options: ProbeOptions,
): Promise<Engine> => {
  const client = isObject(report['Client']) ? report['Client'] : {};
  const server = isObject(report['Server']) ? report['Server'] : {};
  const location = locationOf(resolved.endpoint, server, facts, options.kernelRelease);
  return {
    name: 'docker',
    file,
    clientVersion: textOf(client['Version']),
    serverVersion: textOf(server['Version']),
    apiVersion: textOf(client['ApiVersion']),
    platform: { os: textOf(server['Os']), architecture: textOf(server['Arch']) },
    rootless: facts.securityOptions.includes('rootless') || named(server, 'rootlesskit'),
    usernsRemap: facts.securityOptions.includes('userns'),
    location,
    endpoint: resolved.endpoint,
    endpointSource: resolved.source,
    selinux: location === 'native' && (await isSelinuxEnforcing()),
    environment,
  };
};

/** The client's environment with the endpoint that was resolved, so that the client and whoever else connects reach one server. */
const withEndpoint = (
  environment: Readonly<Record<string, string>>,
  endpoint: ResolvedEndpoint['environment'],
): Record<string, string> => {
  const { DOCKER_HOST: _host, DOCKER_CONTEXT: _context, ...rest } = environment;
  const set = Object.entries(endpoint).filter((entry): entry is ['DOCKER_HOST', string] => entry[1] !== undefined);
  return { ...rest, ...Object.fromEntries(set) };
};

/** Rejections are looked at after the command has said who it is. */
const settled = <Value>(promise: Promise<Value>): Promise<PromiseSettledResult<Value>> =>
  Promise.allSettled([promise]).then(([result]) => result);

/**
 * Asks a `docker` command for its server: one command, and beside it one request for the server's facts on the same endpoint.
 * A command that turns out to be Podman's is that engine.
 */
export const probeDocker: ProbeEngine = async (file, options) => {
  assertTrustedConfiguration('docker', options.environment, options.exclude);
  const plain = clientEnvironment(options.environment, options.exclude);
  const resolving = await settled(resolveEndpoint({ environment: options.environment, endpoint: options.endpoint }));
  // Podman under the name docker has no use for the endpoint, so one that cannot be read is no reason yet.
  const environment = withEndpoint(
    plain,
    resolving.status === 'fulfilled' ? resolving.value.environment : { DOCKER_HOST: undefined, DOCKER_CONTEXT: 'default' },
  );
  const { signal } = options;
  const [asking, facts] = await Promise.all([
    settled(ask(file, VERSION, { environment, signal })),
    resolving.status === 'fulfilled'
      ? settled(dockerServerFacts(resolving.value.endpoint, { file, environment, signal }))
      : undefined,
  ]);
  const answer: CaptureResult | undefined = asking.status === 'fulfilled' ? asking.value : undefined;
  const report = answer === undefined ? undefined : parseReport(answer);
  if (report !== undefined && isPodmanReport(report)) {
    if (options.endpoint.trim() !== '')
      throw unsupported('docker', file, 'this docker command is Podman under another name, which knows no endpoint of Docker');
    return podmanFrom(file, report, options);
  }
  if (resolving.status === 'rejected') throw resolving.reason;
  const { endpoint, source } = resolving.value;
  const failed = (cause: unknown): EngineError =>
    unreachable({ engine: 'docker', file, endpoint, endpointSource: source, cause, stderr: answer?.stderr ?? '' });
  if (asking.status === 'rejected') {
    throw isEngineError(asking.reason, 'ENGINE_TIMEOUT') ? failed(asking.reason) : asking.reason;
  }
  // A client that cannot be started properly (a bad certificate) prints no report at all, only its complaint.
  if (report === undefined && asking.value.exitCode === 0)
    throw unsupported('docker', file, 'this docker command does not report its version as Docker does');
  const reason = report === undefined ? undefined : unsupportedReason(report);
  if (reason !== undefined) throw unsupported('docker', file, reason);
  if (facts?.status === 'rejected') throw failed(facts.reason);
  if (report === undefined || asking.value.exitCode !== 0 || !isObject(report['Server']) || facts === undefined)
    throw failed(undefined);
  return engineFrom(file, report, resolving.value, facts.value, environment, options);
};
