import type { Engine } from '@doompi-sandbox/engine';
import type { TransportName } from '@doompi-sandbox/contract';
import { planTransports, type TransportInput } from '../transport/candidates.ts';

/** One way in which the container reaches the launcher. */
export interface TransportCandidate {
  readonly transport: TransportName;
  /** Why it stands where it stands. */
  readonly reason: string;
}

type Where = Pick<Engine, 'location'>;

const PLACES: Readonly<Record<Engine['location'], string>> = {
  native: 'runs on this kernel',
  vm: 'is in a virtual machine',
  remote: 'is on another machine',
};

const reasonOf = (transport: TransportCandidate['transport'], { location }: Where): string => {
  const place = `the engine ${PLACES[location]}`;
  switch (transport) {
    case 'socket':
      return location === 'native'
        ? `${place}, so a mounted Unix socket connects`
        : `${place}, so a mounted Unix socket may not connect`;
    case 'tcp':
      return location === 'vm'
        ? `${place} that forwards to this host's loopback interface`
        : `${place}; tried because it was asked for`;
    case 'tunnel':
      return location === 'native'
        ? "through the engine's own exec, when nothing before it connects"
        : `${place}; its exec always leads there`;
  }
};

/**
 * The transports of a session on this engine, in the order in which they are tried, with the reason of each. Pure.
 * @throws LaunchError LAUNCH_TRANSPORT_UNSUPPORTED, see `planTransports`
 */
export const transportCandidates = (input: TransportInput): readonly TransportCandidate[] =>
  planTransports(input).candidates.map((transport) => ({ transport, reason: reasonOf(transport, input.engine) }));
