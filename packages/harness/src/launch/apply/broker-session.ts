import { join } from 'node:path';
import { startBroker, type Broker, type BrokerSession, type Credential } from '@doompi-sandbox/broker';
import { SESSION_ENTRIES } from '@doompi-sandbox/contract';
import type { Resources } from '../../resources.ts';

export interface BrokerRequest {
  readonly sessionId: string;
  /** Host directory that the container sees, where the broker listens; undefined for a broker that is handed its connections. */
  readonly mount: string | undefined;
  readonly credentials: readonly Credential[];
  readonly upstreams: Readonly<Record<string, string>>;
}

export interface OpenedBroker {
  readonly broker: Broker;
  readonly session: BrokerSession;
}

/** Starts a broker with one session; both end with `resources`. Undefined when there is nothing to broker. */
export const openBrokerSession = async (request: BrokerRequest, resources: Resources): Promise<OpenedBroker | undefined> => {
  const { mount, credentials, upstreams, sessionId } = request;
  if (credentials.length === 0) return undefined;
  const broker = resources.use(
    await startBroker({
      ...(mount === undefined ? {} : { listen: { transport: 'unix', path: join(mount, SESSION_ENTRIES.broker) } }),
      upstreams,
    }),
  );
  const session = broker.openSession({ id: sessionId, credentials });
  return session === undefined ? undefined : { broker, session: resources.use(session) };
};
