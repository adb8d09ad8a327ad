import type { Endpoint } from './endpoint.ts';
import { type EngineError, engineError } from '../error.ts';

/** The spellings that {@link parseEndpoint} takes. */
export const ENDPOINT_FORMS = [
  'unix:///path/to.sock',
  '/path/to.sock',
  'tcp://host[:port]',
  'http://host[:port]',
  'ssh://[user@]host[:port]',
] as const;

export interface ParseEndpointOptions {
  /** Where the text comes from, for the refusal; default `endpoint`. */
  readonly source?: string;
  /** The client speaks TLS over tcp; default false. */
  readonly tls?: boolean;
}

/** The text itself is never repeated: it may hold a password. */
const refusal = (source: string, reason: string): EngineError =>
  engineError('ENGINE_ENDPOINT_INVALID', `${source}: ${reason}; accepted are ${ENDPOINT_FORMS.join(', ')}.`, {
    source,
    reason,
    accepted: ENDPOINT_FORMS,
  });

const unixEndpoint = (path: string, source: string): Endpoint => {
  if (!/^\/+[^/]/.test(path) || path.includes('\0')) throw refusal(source, 'a Unix socket needs an absolute path');
  return { transport: 'unix', path: path.replace(/^\/+/, '/') };
};

const parseUrl = (text: string, source: string): URL => {
  // Node knows authority rules for http only; the port of the other schemes would not be checked.
  const asHttp = text.replace(/^[a-z]+:/i, 'http:');
  if (!URL.canParse(asHttp)) throw refusal(source, 'it is no address');
  return new URL(asHttp);
};

const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** The port as written; `URL` drops 80, the default of the scheme that it was parsed with. */
const portOf = (text: string, url: URL, source: string): number | undefined => {
  const [written = ''] = /^[^:]+:[/\\]*[^/\\?#]*/.exec(text) ?? [];
  const port = url.port === '' ? (/:0*80$/.test(written) ? 80 : undefined) : Number(url.port);
  if (port === 0) throw refusal(source, 'nobody listens on port 0');
  return port;
};

/** A part of an address without its percent-encoding. */
const decoded = (part: string, source: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    throw refusal(source, 'its percent-encoding is not valid');
  }
};

/** @throws EngineError ENGINE_ENDPOINT_INVALID */
const tcpEndpoint = (text: string, source: string, tls: boolean): Endpoint => {
  const url = parseUrl(text, source);
  if (url.username !== '' || url.password !== '') throw refusal(source, 'user and password cannot be part of a tcp address');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') throw refusal(source, 'a tcp address ends after the port');
  // 2375 and 2376 are the ports that docker's own command assumes.
  return { transport: 'tcp', host: hostOf(url), port: portOf(text, url, source) ?? (tls ? 2376 : 2375), tls };
};

const sshEndpoint = (text: string, source: string): Endpoint => {
  const url = parseUrl(text, source);
  if (url.password !== '') throw refusal(source, 'a password cannot be part of an ssh address');
  if (url.search !== '' || url.hash !== '') throw refusal(source, 'an ssh address ends after the path');
  const host = hostOf(url);
  const [user, path] = [decoded(url.username, source), decoded(url.pathname, source)];
  // ssh would read either as an option.
  if (host.startsWith('-') || user.startsWith('-')) throw refusal(source, 'it is no address');
  const port = portOf(text, url, source);
  return {
    transport: 'ssh',
    host,
    ...(user === '' ? {} : { user }),
    ...(port === undefined ? {} : { port }),
    ...(path === '/' ? {} : { path }),
  };
};

/**
 * Reads an endpoint as `DOCKER_HOST` spells it, and the bare path and `http://` that other tools take; blank means unset.
 * @throws EngineError ENGINE_ENDPOINT_INVALID, in one line that lists the accepted forms and does not repeat the text
 */
export const parseEndpoint = (text: string, options: ParseEndpointOptions = {}): Endpoint | undefined => {
  const { source = 'endpoint', tls = false } = options;
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (trimmed.startsWith('/')) return unixEndpoint(trimmed, source);
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(trimmed)?.[1]?.toLowerCase();
  switch (scheme) {
    case 'unix':
      return unixEndpoint(trimmed.slice('unix:'.length).replace(/^\/\//, ''), source);
    case 'tcp':
    case 'http':
      return tcpEndpoint(trimmed, source, tls);
    case 'ssh':
      return sshEndpoint(trimmed, source);
    case undefined:
      throw refusal(source, 'it has no scheme and is no absolute path');
    default:
      throw refusal(source, `the scheme ${scheme}: is not known here`);
  }
};

const authority = (host: string, port: number | undefined): string =>
  `${host.includes(':') ? `[${host}]` : host}${port === undefined ? '' : `:${port}`}`;

const encodedPath = (path = ''): string => encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23');

/** An endpoint as docker's own command takes it, such as `unix:///var/run/docker.sock`. Holds no password. */
export const formatEndpoint = (endpoint: Endpoint): string => {
  switch (endpoint.transport) {
    case 'unix':
      return `unix://${endpoint.path}`;
    case 'tcp':
      return `tcp://${authority(endpoint.host, endpoint.port)}`;
    case 'ssh': {
      const user = endpoint.user === undefined ? '' : `${encodeURIComponent(endpoint.user)}@`;
      return `ssh://${user}${authority(endpoint.host, endpoint.port)}${encodedPath(endpoint.path)}`;
    }
  }
};
