import { clientEnvironment } from './client-environment.ts';
import { type CaptureResult, runCommand } from './command.ts';
import type { Engine } from './engine.ts';
import { type EngineError, engineError } from './error.ts';
import { isObject, type JsonObject, textOf } from './json.ts';
import type { ProbeEngine } from './probe.ts';

const VERSION = ['version', '--format', '{{json .}}'];

/** `docker run --pull never` came with the command of 20.10. */
const OLDEST_CLIENT = 20;

const parseReport = (stdout: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(stdout);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Why a report that is no healthy Docker's cannot be used, or undefined when it can. */
const unsupportedReason = (report: JsonObject | undefined): string | undefined => {
  const client = report?.['Client'];
  // Podman spells it APIVersion and, on the same machine, has no server.
  if (!isObject(client) || typeof client['ApiVersion'] !== 'string')
    return isObject(client) && typeof client['APIVersion'] === 'string'
      ? 'this docker command is Podman under another name, which this version cannot drive'
      : 'this docker command does not report its version as Docker does';
  if (Number.parseInt(textOf(client['Version']), 10) < OLDEST_CLIENT)
    return `its command is version ${textOf(client['Version'])}; 20.10 or newer is needed`;
  const server = report?.['Server'];
  if (!isObject(server)) return undefined;
  const components = Array.isArray(server['Components']) ? server['Components'].filter(isObject) : [];
  if (components.some((component) => textOf(component['Name']).startsWith('Podman')))
    return 'its server is Podman, which this version cannot drive';
  if (server['Os'] !== 'linux') return `its server runs ${textOf(server['Os'])} containers; Linux containers are needed`;
  return undefined;
};

/** An endpoint without the password that a URL may hold. */
const withoutPassword = (endpoint: string): string => {
  if (!URL.canParse(endpoint)) return endpoint;
  const url = new URL(endpoint);
  if (url.password === '') return endpoint;
  url.password = '';
  return url.href;
};

const currentEndpoint = async (
  file: string,
  environment: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<string> => {
  const args = ['context', 'inspect', '--format', '{{json .Endpoints.docker.Host}}'];
  const { stdout } = await runCommand(file, args, environment, { timeoutMs }).catch(() => ({ stdout: '' }));
  try {
    return withoutPassword(textOf(JSON.parse(stdout)));
  } catch {
    return withoutPassword(environment['DOCKER_HOST'] ?? '');
  }
};

const unreachable = (endpoint: string, { stderr }: CaptureResult): EngineError =>
  engineError(
    'ENGINE_UNREACHABLE',
    `Docker is installed, but its server does not answer at ${endpoint === '' ? 'its endpoint' : endpoint}. Start it, or point DOCKER_HOST or the docker context at one that runs.`,
    { engine: 'docker', endpoint, stderr: stderr.trim() },
  );

/** Asks a `docker` command for its server. One command when all is well. */
export const probeDocker: ProbeEngine = async (file, options) => {
  const environment = clientEnvironment(options.environment, options.exclude);
  const answer = await runCommand(file, VERSION, environment, { timeoutMs: options.timeoutMs });
  const report = parseReport(answer.stdout);
  // A client that cannot be started properly (a bad context, a bad certificate) prints no report at all, only its complaint.
  const reason = report === undefined && answer.exitCode !== 0 ? undefined : unsupportedReason(report);
  if (reason !== undefined)
    throw engineError('ENGINE_UNSUPPORTED', `${file} cannot be used: ${reason}.`, { engine: 'docker', file, reason });
  const client = report?.['Client'];
  const server = report?.['Server'];
  if (answer.exitCode !== 0 || !isObject(client) || !isObject(server))
    throw unreachable(await currentEndpoint(file, environment, options.timeoutMs), answer);
  return {
    name: 'docker',
    file,
    clientVersion: textOf(client['Version']),
    serverVersion: textOf(server['Version']),
    apiVersion: textOf(client['ApiVersion']),
    platform: { os: textOf(server['Os']), architecture: textOf(server['Arch']) },
    rootless: false,
    usernsRemap: false,
    location: 'native',
    endpoint: undefined,
    endpointSource: undefined,
    selinux: false,
    environment,
  } satisfies Engine;
};
