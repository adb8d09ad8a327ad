import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { ModelBehaviour } from './behaviour.ts';
import type { EventStream } from './dialect.ts';

/** Writes events with the pace asked for; waits for a slow reader. `settle` hears how it ends, before the connection does. */
export const writeEvents = async (
  response: ServerResponse,
  stream: EventStream,
  tokens: readonly string[],
  behaviour: ModelBehaviour,
  gone: AbortSignal,
  settle: (outcome: 'completed' | 'died') => void,
): Promise<void> => {
  const { delayMs = 0, death } = behaviour;
  // The callback comes when the kernel has the bytes: that is both back-pressure and a known state before a reset.
  const write = (event: string): Promise<void> =>
    new Promise((resolve, reject) => {
      response.write(event, (error) => (error ? reject(error) : resolve()));
    });
  try {
    for (const event of stream.before) await write(event);
    for (const [index, text] of tokens.entries()) {
      if (index === death?.afterTokens) break;
      if (index > 0 && delayMs > 0) await pause(delayMs, undefined, { signal: gone });
      await write(stream.token(text));
    }
    if (death === undefined) {
      for (const event of stream.after) await write(event);
      settle('completed');
      response.end();
      return;
    }
    if (death.how === 'stall') {
      await once(gone, 'abort');
      return;
    }
    settle('died');
    if (death.how === 'reset') response.socket?.resetAndDestroy();
    else if (death.how === 'truncate') response.socket?.destroySoon();
    else response.end();
  } catch (error) {
    if (!gone.aborted) throw error;
  }
};
