import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startListener } from '../src/listen.ts';
import { awaitBroker } from '../src/ready.ts';
import { endpoint, scratch, toBroker } from './helpers/session.ts';

const ready = async (broker: Server | undefined, signal = new AbortController().signal): Promise<void> => {
  await using directory = await scratch();
  const brokerPath = join(directory.path, 'broker.sock');
  const served = broker && (await endpoint(broker, brokerPath));
  try {
    await using listener = await startListener({ port: 0, uplink: toBroker(brokerPath) });
    await awaitBroker({ port: listener.port, place: brokerPath, timeoutMs: 400, signal });
  } finally {
    await served?.cut();
  }
};

describe('B40: the broker counts as reached', () => {
  it('when it ends an empty connection', async () => {
    await ready(createServer((socket) => void socket.resume()));
  });

  it('when it answers one', async () => {
    await ready(createServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')));
  });

  it('but not when it is absent, with the reason', async () => {
    await expect(ready(undefined)).rejects.toMatchObject({
      code: 'BRIDGE_BROKER_UNREACHABLE',
      message: expect.stringContaining('(ENOENT)'),
    });
  });

  it('and not when it only accepts', async () => {
    const hung = createServer({ allowHalfOpen: true }, (socket) => void socket.resume());
    await expect(ready(hung)).rejects.toMatchObject({
      code: 'BRIDGE_BROKER_UNREACHABLE',
      message: expect.stringContaining('it accepts connections and does not serve them'),
    });
  });

  it('waiting ends with the launch', async () => {
    await expect(ready(undefined, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});
