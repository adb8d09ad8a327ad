import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { openTcpListener } from '../../src/transport/tcp-listener.ts';

const KEY = randomBytes(32).toString('base64url');

describe('a tcp listener', () => {
  it.each(['0.0.0.0', '::', 'localhost', ''])('S12: never listens on %j', async (address) => {
    await expect(openTcpListener({ address, key: KEY, channels: {} })).rejects.toThrow(TypeError);
  });

  it('S12: can be reached on its own address only', async () => {
    await using listener = await openTcpListener({ address: '127.0.0.1', key: KEY, channels: {} });
    const socket = connect(listener.port, '127.0.0.2');
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });

  it('ends with everybody who waits there', async () => {
    const listener = await openTcpListener({ address: '127.0.0.1', key: KEY, channels: {} });
    const socket = connect(listener.port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    const closed = once(socket.resume(), 'close');
    await listener[Symbol.asyncDispose]();
    await closed;
  });

  it('says what to use instead of an address that is not of this host', async () => {
    await expect(openTcpListener({ address: '192.0.2.1', key: KEY, channels: {} })).rejects.toMatchObject({
      code: 'LAUNCH_TRANSPORT_UNSUPPORTED',
      message: expect.stringMatching(/192\.0\.2\.1 \(EADDRNOTAVAIL\).*--transport tunnel/),
    });
  });
});
