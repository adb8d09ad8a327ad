import type { Engine } from '@doompi-sandbox/engine';
import { engineOutput } from './engine.ts';

const SESSION_FILE = '/run/doompi/session';

/** Ways to the launcher that the running session was told of, best first. */
export const offeredTransports = async (engine: Engine, container: string): Promise<readonly string[]> => {
  const text = await engineOutput(engine, ['exec', container, 'cat', SESSION_FILE]);
  const { transports } = JSON.parse(text) as { readonly transports?: readonly { readonly transport: string }[] };
  // A session file without the list is of a launcher that knows the socket alone.
  return transports?.map(({ transport }) => transport) ?? ['socket'];
};
