import { join } from 'node:path';
import { startBroker, type BrokerSession, type Credential } from '@doompi-sandbox/broker';
import { SESSION_ENTRIES } from '@doompi-sandbox/contract';
import type { Resources } from './resources.ts';

export interface BrokerRequest {
  readonly sessionId: string;
  /** Host directory that the container sees. */
  readonly mount: string;
  readonly credentials: readonly Credential[];
  readonly upstreams: Readonly<Record<string, string>>;
}

/** Starts a broker with one session; both end with `resources`. Undefined when there is nothing to broker. */
export const openBrokerSession = async (request: BrokerRequest, resources: Resources): Promise<BrokerSession | undefined> => {
  if (request.credentials.length === 0) return undefined;
  const broker = resources.use(
    await startBroker({
      listen: { transport: 'unix', path: join(request.mount, SESSION_ENTRIES.broker) },
      upstreams: request.upstreams,
    }),
  );
  const session = broker.openSession({ id: request.sessionId, credentials: request.credentials });
  return session === undefined ? undefined : resources.use(session);
};
