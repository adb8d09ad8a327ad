import type { Engine } from '@doompi-sandbox/engine';

/** One way in which the container reaches the launcher. */
export interface TransportCandidate {
  readonly transport: 'socket' | 'tcp' | 'tunnel';
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

/** The transports of a session on this engine, in the order in which they are tried, with the reason of each. Pure. */
export const transportCandidates = (engine: Where): readonly TransportCandidate[] =>
  (['socket'] as const).map((transport) => ({ transport, reason: reasonOf(transport, engine) }));
