import type { RedirectedProvider } from './redirect.ts';
import { isRecord, port, text } from './session-fields.ts';
import { parseTransports, type Transport } from './transport.ts';

/**
 * Content of `/run/doompi/session`: what the launcher tells the bridge and the extension.
 * Its only secret is the key of a tcp transport, which opens nothing but this session.
 */
export interface SessionFile {
  readonly version: 1;
  /** Id of the session, unique per launch. */
  readonly sessionId: string;
  /** Ways to the launcher, best first: the bridge uses the first that leads there. */
  readonly transports: readonly [Transport, ...Transport[]];
  /** Absolute paths in the container, beside the working directory, that the agent's user must be able to write: its volumes. */
  readonly writable?: readonly string[];
  /** Present when calls are brokered. */
  readonly broker?: {
    /** Port on 127.0.0.1 where the bridge listens. */
    readonly bridgePort: number;
    /** Never empty. */
    readonly providers: readonly RedirectedProvider[];
  };
}

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
  if (!Array.isArray(providers) || providers.length === 0)
    throw new TypeError('Session file: broker.providers must be a non-empty list');
  return { bridgePort: port(bridgePort, 'broker.bridgePort'), providers: providers.map(provider) };
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
  } catch {
    // The parser's own error quotes the text, and the key of a tcp transport with it.
    throw new TypeError('Session file: not JSON');
  }
  if (!isRecord(value)) throw new TypeError('Session file: must be an object');
  if (value['version'] !== 1)
    throw new TypeError(`Session file: version ${JSON.stringify(value['version'])} is not known; expected 1`);
  const base = {
    version: 1,
    sessionId: text(value['sessionId'], 'sessionId'),
    transports: parseTransports(value['transports']),
    ...(value['writable'] === undefined ? {} : { writable: paths(value['writable'], 'writable') }),
  } as const;
  return value['broker'] === undefined ? base : { ...base, broker: broker(value['broker']) };
};
