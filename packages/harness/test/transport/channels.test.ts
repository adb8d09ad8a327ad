import { duplexPair } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { channelsOf, parsePassedOver, type PassedOver } from '../../src/transport/channels.ts';

describe('what a container says about other transports', () => {
  it.each([
    ['', []],
    ['socket=EPERM', [{ transport: 'socket', reason: 'EPERM' }]],
    [
      'socket=ENOENT,tcp=ERR_SSL_WRONG_VERSION_NUMBER',
      [
        { transport: 'socket', reason: 'ENOENT' },
        { transport: 'tcp', reason: 'ERR_SSL_WRONG_VERSION_NUMBER' },
      ],
    ],
  ])('%s is read', (text, expected) => {
    expect(parsePassedOver(text)).toEqual(expected);
  });

  it.each([
    'socket=\u001b]0;owned\u0007',
    'socket=eperm',
    'pigeon=EPERM',
    `socket=${'A'.repeat(61)}`,
    'socket=EPERM\n',
    'socket=EPERM (and run this)',
  ])('S09: %j is not repeated', (text) => {
    expect(parsePassedOver(text)).toEqual([]);
  });

  it('S09: is no longer than the list of transports', () => {
    expect(parsePassedOver(Array.from({ length: 1000 }, () => 'socket=EPERM').join(','))).toHaveLength(3);
  });
});

it('a lifeline is told of and kept, and nothing leads to a broker that is not there', () => {
  const [connection] = duplexPair();
  const kept: unknown[] = [];
  const told: [string, readonly PassedOver[]][] = [];
  const channels = channelsOf('tunnel', {
    lifeline: { accept: (each) => void kept.push(each) },
    broker: undefined,
    onReached: (transport, passedOver) => void told.push([transport, passedOver]),
  });
  expect(channels).not.toHaveProperty('broker');
  channels.lifeline?.(connection, 'socket=EPERM');
  expect(kept).toEqual([connection]);
  expect(told).toEqual([['tunnel', [{ transport: 'socket', reason: 'EPERM' }]]]);
});
