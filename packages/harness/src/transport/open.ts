import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Broker } from '@doompi-sandbox/broker';
import { SESSION_DIRECTORY, SESSION_ENTRIES, TUNNEL_SOCKET, type Transport, type TransportName } from '@doompi-sandbox/contract';
import type { Engine } from '@doompi-sandbox/engine';
import type { Resources } from '../resources.ts';
import type { Notice } from '../notice.ts';
import type { Lifeline } from '../sessions/lifeline.ts';
import type { TransportPlan } from './candidates.ts';
import { channelsOf, type PassedOver } from './channels.ts';
import { gatewayAddress } from './gateway.ts';
import { openTcpListener } from './tcp-listener.ts';
import { openTunnel, type Tunnel } from './tunnel.ts';

export interface TransportRequest {
  readonly plan: TransportPlan;
  readonly engine: Engine;
  readonly lifeline: Lifeline;
  /** Undefined when nothing is brokered. */
  readonly broker: Broker | undefined;
  /** Directory of the session that nobody else can enter and that is not mounted. */
  readonly directory: string;
  readonly onNotice: (notice: Notice) => void;
}

/** The launcher's end of a session's transports. What is open ends with the session's resources. */
export interface Transports {
  /** For the session file. Holds the key of a tcp transport, which is made here. */
  readonly transports: readonly [Transport, ...Transport[]];
  /** Begins to dial into a container by this name, which is about to start. Undefined when there is no need to. */
  dial(container: string): Tunnel | undefined;
}

/** 32 bytes: as long as the hash that the proof uses. */
const newKey = (): string => randomBytes(32).toString('base64url');

/**
 * Opens what the container will connect to, apart from the sockets of lifeline and broker themselves.
 * @throws LaunchError LAUNCH_TRANSPORT_UNSUPPORTED when there is no address to listen on for tcp.
 */
export const openTransports = async (request: TransportRequest, resources: Resources): Promise<Transports> => {
  const { plan, engine, lifeline, broker, directory, onNotice } = request;
  let told = false;
  const targets = {
    lifeline,
    broker,
    onReached: (transport: TransportName, passedOver: readonly PassedOver[]): void => {
      if (!told) onNotice({ code: 'transport', transport, passedOver });
      told = true;
    },
  };

  const openTcp = async (): Promise<Transport> => {
    const { tcp } = plan;
    if (tcp === undefined) throw new TypeError('plan.tcp: expected a route, because tcp is a candidate');
    const address = tcp.listen === 'gateway' ? await gatewayAddress(engine) : '127.0.0.1';
    const key = newKey();
    const listener = resources.use(await openTcpListener({ address, key, channels: channelsOf('tcp', targets) }));
    return { transport: 'tcp', host: tcp.listen === 'gateway' ? address : tcp.host, port: listener.port, key };
  };

  const open = async (name: TransportName): Promise<Transport> => {
    switch (name) {
      case 'socket': {
        const inside = (entry: string): string => `${SESSION_DIRECTORY}/${entry}`;
        return { transport: 'socket', broker: inside(SESSION_ENTRIES.broker), lifeline: inside(SESSION_ENTRIES.lifeline) };
      }
      case 'tcp':
        return openTcp();
      case 'tunnel':
        return { transport: 'tunnel', path: TUNNEL_SOCKET };
    }
  };

  const [first, ...rest] = plan.candidates;
  const transports: [Transport, ...Transport[]] = [await open(first)];
  for (const name of rest) transports.push(await open(name));
  return {
    transports,
    dial: (container) => {
      if (plan.dial === 'never') return undefined;
      const channels = channelsOf('tunnel', targets);
      return resources.use(
        openTunnel({ engine, container, when: plan.dial, lifeline, channels, socketPath: join(directory, 'tunnel') }),
      );
    },
  };
};
