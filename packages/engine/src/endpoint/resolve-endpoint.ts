import { isAbsolute, join } from 'node:path';
import { currentContextName, readDockerContext } from './docker-context.ts';
import type { Endpoint, EndpointSource } from './endpoint.ts';
import { engineError } from '../error.ts';
import { isListening } from './is-listening.ts';
import { formatEndpoint, parseEndpoint } from './parse-endpoint.ts';

export interface ResolveEndpointOptions {
  /** The host's environment: `DOCKER_HOST`, `DOCKER_CONTEXT`, `DOCKER_CONFIG`, `DOCKER_TLS`, `DOCKER_TLS_VERIFY`, `HOME`, `XDG_RUNTIME_DIR`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The person's explicit choice; blank means none. */
  readonly endpoint?: string | undefined;
  /** Longest wait for the rootless socket, in milliseconds; default 1000. */
  readonly timeoutMs?: number | undefined;
}

export interface ResolvedEndpoint {
  readonly endpoint: Endpoint;
  readonly source: EndpointSource;
  /** Context of docker's command that names it. */
  readonly context: string | undefined;
  /** Variables that make docker's command use it; `undefined` takes one away. */
  readonly environment: Readonly<Record<'DOCKER_HOST' | 'DOCKER_CONTEXT', string | undefined>>;
}

const DEFAULT_PATH = '/var/run/docker.sock';

const byHost = (endpoint: Endpoint, source: EndpointSource): ResolvedEndpoint => ({
  endpoint,
  source,
  context: undefined,
  environment: { DOCKER_HOST: formatEndpoint(endpoint), DOCKER_CONTEXT: undefined },
});

const isSet = (value: string | undefined): boolean => (value ?? '').trim() !== '';

const configDirectory = (environment: ResolveEndpointOptions['environment']): string | undefined => {
  const { DOCKER_CONFIG, HOME } = environment;
  if (isSet(DOCKER_CONFIG)) return DOCKER_CONFIG;
  return HOME !== undefined && isAbsolute(HOME) ? join(HOME, '.docker') : undefined;
};

/** A context is left to docker's command by name: its certificates lie beside it. */
const byContext = async (
  directory: string | undefined,
  name: string,
  source: 'DOCKER_CONTEXT' | 'context',
): Promise<ResolvedEndpoint> => {
  const context = directory === undefined ? undefined : await readDockerContext(directory, name);
  if (context === undefined) {
    const reason = `docker has no context ${JSON.stringify(name)}`;
    throw engineError('ENGINE_ENDPOINT_INVALID', `${source}: ${reason}; docker context ls lists them.`, {
      source,
      reason,
      accepted: [],
    });
  }
  return {
    endpoint: parseEndpoint(context.host, { source: `the docker context ${name}`, tls: context.tls }) ?? {
      transport: 'unix',
      path: DEFAULT_PATH,
    },
    source,
    context: name,
    environment: { DOCKER_HOST: undefined, DOCKER_CONTEXT: name },
  };
};

/**
 * Docker's endpoint: the explicit one, else `DOCKER_HOST`, `DOCKER_CONTEXT`, the current context, the rootless socket when something
 * listens there, else the default. The context `default` means none. Reads files and starts nothing.
 * @throws EngineError ENGINE_ENDPOINT_INVALID
 */
export const resolveEndpoint = async (options: ResolveEndpointOptions): Promise<ResolvedEndpoint> => {
  const { environment, timeoutMs = 1000 } = options;
  const tls = isSet(environment['DOCKER_TLS_VERIFY']) || isSet(environment['DOCKER_TLS']);
  const chosen = parseEndpoint(options.endpoint ?? '', { source: 'endpoint', tls });
  if (chosen !== undefined) return byHost(chosen, 'option');
  const host = parseEndpoint(environment['DOCKER_HOST'] ?? '', { source: 'DOCKER_HOST', tls });
  if (host !== undefined) return byHost(host, 'DOCKER_HOST');

  const directory = configDirectory(environment);
  const named = (environment['DOCKER_CONTEXT'] ?? '').trim();
  const name = named === '' && directory !== undefined ? await currentContextName(directory) : named;
  if (name !== '' && name !== 'default') return byContext(directory, name, named === '' ? 'context' : 'DOCKER_CONTEXT');

  const runtimeDirectory = environment['XDG_RUNTIME_DIR'] ?? '';
  const rootless = join(runtimeDirectory, 'docker.sock');
  if (isAbsolute(runtimeDirectory) && (await isListening(rootless, timeoutMs)))
    return byHost({ transport: 'unix', path: rootless }, 'rootless-socket');
  return {
    endpoint: { transport: 'unix', path: DEFAULT_PATH },
    source: 'default',
    context: undefined,
    // Pinned, so that a context chosen later does not move a session's commands to another server.
    environment: { DOCKER_HOST: undefined, DOCKER_CONTEXT: 'default' },
  };
};
