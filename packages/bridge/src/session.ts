import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  insideSandbox,
  parseSessionFile,
  SANDBOX_MARKER,
  SESSION_ENTRIES,
  type SessionFile,
  type Transport,
} from '@doompi-sandbox/contract';
import { BridgeError, reasonOf } from './error.ts';
import { assertUnixPath } from './unix-path.ts';

/**
 * Reads what the launcher wrote for this session; undefined outside of one.
 * A marked environment without the file means that something was mounted over the session directory.
 * @throws BridgeError BRIDGE_SESSION_MISSING, BRIDGE_SESSION_INVALID, BRIDGE_SOCKET_PATH_TOO_LONG
 */
export const readSession = async (
  directory: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<SessionFile | undefined> => {
  const path = join(directory, SESSION_ENTRIES.session);
  let source: string;
  try {
    source = await readFile(path, 'utf8');
  } catch (cause) {
    if (!insideSandbox(environment) && ['ENOENT', 'ENOTDIR'].includes(reasonOf(cause))) return undefined;
    throw new BridgeError(
      'BRIDGE_SESSION_MISSING',
      `cannot read the session file ${path} (${reasonOf(cause)}) although ${SANDBOX_MARKER}=1. ` +
        `Is something mounted over ${directory}, for instance by an extra run flag such as --tmpfs?`,
      { path },
      { cause },
    );
  }
  const session = parse(source, path);
  session.transports.flatMap(unixPaths).forEach(assertUnixPath);
  return session;
};

const unixPaths = (transport: Transport): readonly string[] => {
  switch (transport.transport) {
    case 'socket':
      return [transport.lifeline, transport.broker];
    case 'tunnel':
      return [transport.path];
    case 'tcp':
      return [];
  }
};

const parse = (source: string, path: string): SessionFile => {
  try {
    return parseSessionFile(source);
  } catch (cause) {
    throw new BridgeError(
      'BRIDGE_SESSION_INVALID',
      `${path}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { path },
      { cause },
    );
  }
};
