import type { Engine } from '@doompi-sandbox/engine';
import type { TransportName } from '@doompi-sandbox/contract';
import { planTransports, type TransportInput } from './candidates.ts';

/** One way in which the container reaches the launcher. */
export interface TransportCandidate {
  readonly transport: TransportName;
  /** Why it stands where it stands. */
  readonly reason: string;
}

const PLACES: Readonly<Record<Engine['location'], string>> = {
  native: 'the engine runs on this kernel',
  vm: 'the engine is in a virtual machine',
  remote: 'the engine is reached over tcp or ssh',
};

const reasonOf = (transport: TransportName, { setting, engine, runtime }: TransportInput): string => {
  const { location } = engine;
  const place = PLACES[location];
  if (setting !== 'auto') return `asked for, and no other is tried; ${place}`;
  switch (transport) {
    case 'socket':
      return `${place}${runtime === undefined ? ', so a mounted Unix socket connects' : `, and ${runtime} may pass a mounted Unix socket`}`;
    case 'tcp':
      return `${place}, whose containers reach this host by name`;
    case 'tunnel':
      return location === 'remote'
        ? `${place}, and its exec leads there`
        : "by the engine's exec, when nothing before it connects";
  }
};

/**
 * The transports of a session on this engine, in the order in which they are tried, with the reason of each. Pure.
 * @throws LaunchError LAUNCH_TRANSPORT_UNSUPPORTED, see `planTransports`
 */
export const transportCandidates = (input: TransportInput): readonly TransportCandidate[] =>
  planTransports(input).candidates.map((transport) => ({ transport, reason: reasonOf(transport, input) }));
