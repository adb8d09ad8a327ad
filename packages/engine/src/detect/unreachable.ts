import type { Endpoint, EndpointSource } from '../endpoint/endpoint.ts';
import { type EngineError, engineError, type UnreachableReason } from '../error.ts';
import type { EngineName } from '../names.ts';
import { formatEndpoint } from '../endpoint/parse-endpoint.ts';

export interface UnreachableFacts {
  readonly engine: EngineName;
  readonly file: string;
  readonly endpoint?: Endpoint | undefined;
  readonly endpointSource?: EndpointSource | undefined;
  /** What the connection or the command failed with. */
  readonly cause?: unknown;
  /** The command's own words. */
  readonly stderr?: string;
}

const BY_CODE: Readonly<Record<string, UnreachableReason>> = {
  EACCES: 'permission-denied',
  EPERM: 'permission-denied',
  ECONNREFUSED: 'not-running',
  ECONNRESET: 'not-running',
  ENOENT: 'no-socket',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
};

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';

const reasonOf = ({ cause, stderr = '' }: UnreachableFacts): UnreachableReason => {
  const code = codeOf(cause);
  if (code === 'ENGINE_TIMEOUT' || (cause instanceof DOMException && cause.name === 'TimeoutError')) return 'no-answer';
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  // Endpoints that only the command can reach (TLS, ssh) fail in its words: Go's for the error number.
  if (/permission denied/i.test(stderr)) return 'permission-denied';
  if (/connection refused/i.test(stderr)) return 'not-running';
  if (/no such host|could not resolve hostname/i.test(stderr)) return 'unknown-host';
  return 'other';
};

const WORDS: Readonly<Record<UnreachableReason, string>> = {
  'permission-denied': 'permission denied',
  'not-running': 'connection refused, so no server runs there',
  'no-socket': 'there is no such socket, so no server runs there',
  'no-answer': 'it gave no answer before the deadline',
  'unknown-host': 'that host is not known',
  other: 'it could not be asked',
};

const advice = ({ engine, endpoint, endpointSource }: UnreachableFacts, reason: UnreachableReason): string => {
  if (engine !== 'docker') return `Run ${engine} version to see its own words.`;
  if (reason === 'permission-denied' && endpoint?.transport === 'unix')
    return 'Add yourself to the group docker and log in again (its members have the rights of root), or use rootless docker.';
  if (endpointSource === 'DOCKER_HOST') return 'Start that server, or unset DOCKER_HOST.';
  if (endpointSource === 'DOCKER_CONTEXT' || endpointSource === 'context')
    return 'Start that server, or choose another one with docker context use.';
  return 'Start it (systemctl start docker), or point DOCKER_HOST or the docker context at one that runs.';
};

/** The error for an engine whose server cannot be used, with the real cause. */
export const unreachable = (facts: UnreachableFacts): EngineError => {
  const { engine, file, endpoint, endpointSource, cause, stderr = '' } = facts;
  const reason = reasonOf(facts);
  const where = endpoint === undefined ? '' : formatEndpoint(endpoint);
  const at = where === '' ? '' : ` at ${where}${endpointSource === undefined ? '' : ` (from ${SOURCES[endpointSource]})`}`;
  const message = `${engine} is installed, but its server${at} cannot be used: ${WORDS[reason]}. ${advice(facts, reason)}`;
  const details = { engine, file, endpoint: where, endpointSource, reason, stderr: stderr.trim() };
  return engineError('ENGINE_UNREACHABLE', message, details, cause === undefined ? undefined : { cause });
};

const SOURCES: Readonly<Record<EndpointSource, string>> = {
  option: 'the endpoint option',
  DOCKER_HOST: 'DOCKER_HOST',
  DOCKER_CONTEXT: 'DOCKER_CONTEXT',
  context: 'the current docker context',
  'rootless-socket': 'XDG_RUNTIME_DIR',
  default: "docker's default",
};
