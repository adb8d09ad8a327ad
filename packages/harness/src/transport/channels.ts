import type { Broker } from '@doompi-sandbox/broker';
import type { AcceptChannel } from '@doompi-sandbox/bridge';
import type { Channel, TransportName } from '@doompi-sandbox/contract';
import type { Lifeline } from '../sessions/lifeline.ts';

/** A transport that did not lead to the launcher. */
export interface PassedOver {
  readonly transport: TransportName;
  /** A system error's code, or another word of capitals, digits and underscores. */
  readonly reason: string;
}

/** Called with each lifeline that came over a transport other than the socket. */
export type OnReached = (transport: TransportName, passedOver: readonly PassedOver[]) => void;

const PASSED_OVER = /^(socket|tcp|tunnel)=([A-Z0-9_]{1,60})$/;

/** Reads what the container says about transports that it tried before. What does not have the form is left out: it comes from inside. */
export const parsePassedOver = (text: string): readonly PassedOver[] =>
  text
    .split(',', 3)
    .map((entry) => PASSED_OVER.exec(entry))
    .filter((match) => match !== null)
    .map(([, transport, reason]) => ({ transport: transport as TransportName, reason: reason as string }));

export interface ChannelTargets {
  readonly lifeline: Pick<Lifeline, 'accept'>;
  /** Undefined when nothing is brokered. */
  readonly broker: Pick<Broker, 'accept'> | undefined;
  readonly onReached: OnReached;
}

/** Where connections go that come multiplexed over one transport. */
export const channelsOf = (
  transport: TransportName,
  { lifeline, broker, onReached }: ChannelTargets,
): Readonly<Partial<Record<Channel, AcceptChannel>>> => ({
  lifeline: (connection, passedOver) => {
    onReached(transport, parsePassedOver(passedOver));
    lifeline.accept(connection);
  },
  ...(broker && { broker: (connection) => broker.accept(connection) }),
});
