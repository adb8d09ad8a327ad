import { expect, it } from 'vitest';
import { transportCandidates } from '../../src/transport/reasons.ts';
import { engineOf } from '../helpers/engine.ts';

const on = (location: 'native' | 'vm' | 'remote', part: object = {}): string[] =>
  transportCandidates({
    setting: 'auto',
    engine: engineOf({ location }),
    runtime: undefined,
    ...part,
  }).map(({ transport, reason }) => `${transport}: ${reason}`);

it('each transport has the reason of its place', () => {
  expect(on('native')).toEqual([
    'socket: the engine runs on this kernel, so a mounted Unix socket connects',
    "tunnel: by the engine's exec, when nothing before it connects",
  ]);
  expect(on('native', { runtime: 'runsc' })[0]).toBe(
    'socket: the engine runs on this kernel, and runsc may pass a mounted Unix socket',
  );
  expect(on('vm')[0]).toMatch(/^tcp: the engine is in a virtual machine/);
  expect(on('remote')).toEqual(['tunnel: the engine is reached over tcp or ssh, and its exec leads there']);
});

it('one that was asked for is alone', () => {
  expect(on('native', { setting: 'tunnel' })).toEqual([
    'tunnel: asked for, and no other is tried; the engine runs on this kernel',
  ]);
});

it('one that cannot work is refused as a launch refuses it', () => {
  expect(() => on('remote', { setting: 'tcp' })).toThrow(expect.objectContaining({ code: 'LAUNCH_TRANSPORT_UNSUPPORTED' }));
});
