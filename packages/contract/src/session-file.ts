import type { RedirectedProvider } from './redirect.ts';

/** How the bridge reaches a listener of the launcher's. */
export interface UnixEndpoint {
  readonly transport: 'unix';
  /** Absolute path inside the container. */
  readonly path: string;
}

/** Content of `/run/doompi/session`: what the launcher tells the bridge and the extension. Holds no secret. */
export interface SessionFile {
  readonly version: 1;
  /** Id of the session, unique per launch. */
  readonly sessionId: string;
  /** Connection that ends with the launcher. */
  readonly lifeline: UnixEndpoint;
  /** Absolute paths in the container, beside the working directory, that the agent's user must be able to write: its volumes. */
  readonly writable?: readonly string[];
  /** Present when calls are brokered. */
  readonly broker?: {
    readonly endpoint: UnixEndpoint;
    /** Port on 127.0.0.1 where the bridge listens. */
    readonly bridgePort: number;
    /** Never empty. */
    readonly providers: readonly RedirectedProvider[];
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown, field: string): string => {
  if (typeof value !== 'string' || value === '') throw new TypeError(`Session file: ${field} must be a non-empty string`);
  return value;
};

const endpoint = (value: unknown, field: string): UnixEndpoint => {
  if (!isRecord(value) || value['transport'] !== 'unix') throw new TypeError(`Session file: ${field} must be a unix endpoint`);
  return { transport: 'unix', path: text(value['path'], `${field}.path`) };
};

const paths = (value: unknown, field: string): readonly string[] => {
  if (!Array.isArray(value)) throw new TypeError(`Session file: ${field} must be a list`);
  return value.map((path) => text(path, field));
};

const provider = (value: unknown): RedirectedProvider => {
  if (!isRecord(value)) throw new TypeError('Session file: broker.providers must hold objects');
  return { id: text(value['id'], 'provider id'), upstreamHost: text(value['upstreamHost'], 'provider upstreamHost') };
};

const broker = (value: unknown): SessionFile['broker'] & object => {
  if (!isRecord(value)) throw new TypeError('Session file: broker must be an object');
  const { bridgePort, providers } = value;
  if (typeof bridgePort !== 'number' || !Number.isInteger(bridgePort) || bridgePort < 1 || bridgePort > 65535)
    throw new TypeError('Session file: broker.bridgePort must be a port number');
  if (!Array.isArray(providers) || providers.length === 0)
    throw new TypeError('Session file: broker.providers must be a non-empty list');
  return { endpoint: endpoint(value['endpoint'], 'broker.endpoint'), bridgePort, providers: providers.map(provider) };
};

/** Text of a session file: one JSON object and a line feed. */
export const formatSessionFile = (session: SessionFile): string => `${JSON.stringify(session)}\n`;

/**
 * Reads the text of a session file.
 * @throws TypeError when the text is not a session file of a known version, naming the field.
 */
export const parseSessionFile = (source: string): SessionFile => {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (cause) {
    throw new TypeError('Session file: not JSON', { cause });
  }
  if (!isRecord(value)) throw new TypeError('Session file: must be an object');
  if (value['version'] !== 1)
    throw new TypeError(`Session file: version ${JSON.stringify(value['version'])} is not known; expected 1`);
  const base = {
    version: 1,
    sessionId: text(value['sessionId'], 'sessionId'),
    lifeline: endpoint(value['lifeline'], 'lifeline'),
    ...(value['writable'] === undefined ? {} : { writable: paths(value['writable'], 'writable') }),
  } as const;
  return value['broker'] === undefined ? base : { ...base, broker: broker(value['broker']) };
};
