import type { Engine } from '@doompi-sandbox/engine';

/** One way in which the container reaches the launcher. */
export interface TransportCandidate {
  readonly transport: string;
  /** Why it stands where it stands. */
  readonly reason: string;
}

/** The transports of a session on this engine, in the order in which they are tried. Pure. */
export const transportCandidates = ({ location }: Pick<Engine, 'location'>): readonly TransportCandidate[] => [
  {
    transport: 'socket',
    reason:
      location === 'native'
        ? 'the engine runs on this kernel, so a mounted Unix socket connects'
        : `this version has no other, although the engine is ${location === 'vm' ? 'in a virtual machine' : 'on another machine'}`,
  },
];
