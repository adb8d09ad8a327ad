import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Transport } from '@doompi-sandbox/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isBridgeError } from '../../src/error.ts';
import { serveMultiplex } from '../../src/index.ts';
import { createProvingServer } from '../../src/proof.ts';
import { reachLauncher, type Reached } from '../../src/uplink/reach.ts';
import { endpoint, scratch } from '../helpers/session.ts';
import { dialTo } from '../helpers/tunnel.ts';

const KEY = randomBytes(32).toString('base64url');

const inDirectory = async (): Promise<string> => {
  const directory = await scratch();
  onTestFinished(async () => directory[Symbol.asyncDispose]());
  return directory.path;
};

const reach = async (transports: readonly Transport[], timeoutMs = 1500): Promise<Reached> => {
  const reached = await reachLauncher(transports, { timeoutMs, signal: new AbortController().signal });
  onTestFinished(async () => {
    reached.lifeline.destroy();
    await reached.uplink[Symbol.asyncDispose]();
  });
  return reached;
};

/** A launcher on TCP that keeps lifelines and what they say. */
const tcpLauncher = async (key = KEY): Promise<{ readonly port: number; readonly said: string[] }> => {
  const said: string[] = [];
  const { server, destroyConnections } = createProvingServer(key, (connection) => {
    serveMultiplex(connection, {
      lifeline: (lifeline, passedOver) => {
        said.push(passedOver);
        lifeline.resume();
      },
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    destroyConnections();
  });
  return { port: (server.address() as AddressInfo).port, said };
};

const socketIn = (directory: string): Transport => ({
  transport: 'socket',
  broker: join(directory, 'broker.sock'),
  lifeline: join(directory, 'lifeline.sock'),
});
const tcpAt = (port: number, key = KEY): Transport => ({ transport: 'tcp', host: '127.0.0.1', port, key });
const tunnelIn = (directory: string): Transport & { transport: 'tunnel' } => ({
  transport: 'tunnel',
  path: join(directory, 'launcher.sock'),
});

describe('the launcher is reached', () => {
  it('through the socket when it opens, and nothing else is tried', async () => {
    const directory = await inDirectory();
    await using served = await endpoint(
      createServer((socket) => void socket.resume()),
      join(directory, 'lifeline.sock'),
    );
    const { port, said } = await tcpLauncher();
    const { uplink } = await reach([socketIn(directory), tcpAt(port)]);
    expect(uplink.transport).toBe('socket');
    expect(served.sockets.size).toBe(1);
    expect(said).toEqual([]);
  });

  it('at once through the next one when the socket does not open, and the launcher is told why', async () => {
    const { port, said } = await tcpLauncher();
    const start = performance.now();
    const { uplink } = await reach([socketIn(await inDirectory()), tcpAt(port)]);
    expect(uplink.transport).toBe('tcp');
    expect(performance.now() - start).toBeLessThan(500);
    expect(said).toEqual(['socket=ENOENT']);
  });

  it('through the tunnel when who accepts the connection has another key', async () => {
    const other = await tcpLauncher(randomBytes(32).toString('base64url'));
    const tunnel = tunnelIn(await inDirectory());
    const said: string[] = [];
    const reaching = reach([tcpAt(other.port), tunnel], 8000);
    await dialTo(tunnel.path, { lifeline: (_lifeline, passedOver) => void said.push(passedOver) });
    expect((await reaching).uplink.transport).toBe('tunnel');
    expect(said).toEqual([expect.stringMatching(/^tcp=ERR_SSL_[A-Z0-9_]+$/)]);
    expect(other.said).toEqual([]);
  });

  it('through the tunnel after 3 s at most when somebody accepts every connection and never speaks', async () => {
    const mute = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    onTestFinished(() => void mute.close());
    const tunnel = tunnelIn(await inDirectory());
    const start = performance.now();
    const reaching = reach([tcpAt((mute.address() as AddressInfo).port), tunnel], 8000);
    const said: string[] = [];
    await dialTo(tunnel.path, { lifeline: (_lifeline, passedOver) => void said.push(passedOver) });
    await reaching;
    expect(said).toEqual(['tcp=ETIMEDOUT']);
    expect(performance.now() - start).toBeLessThan(4000);
  });

  it('by a last transport that works only after a while', async () => {
    const directory = await inDirectory();
    const served = endpoint(
      createServer((socket) => void socket.resume()),
      join(directory, 'lifeline.sock'),
    );
    const { uplink } = await reach([socketIn(directory)], 5000);
    expect(uplink.transport).toBe('socket');
    await (await served).cut();
  });
});

describe('the launcher is not reached', () => {
  it('when no transport leads there, with the reason of each', async () => {
    const directory = await inDirectory();
    const error: unknown = await reach([socketIn(directory), tcpAt(1), tunnelIn(directory)], 300).catch(
      (cause: unknown) => cause,
    );
    expect(isBridgeError(error, 'BRIDGE_LIFELINE_UNREACHABLE') && error.details.tried).toEqual([
      { transport: 'socket', place: join(directory, 'lifeline.sock'), reason: 'ENOENT' },
      { transport: 'tcp', place: '127.0.0.1:1', reason: 'ECONNREFUSED' },
      { transport: 'tunnel', place: join(directory, 'launcher.sock'), reason: 'ETIMEDOUT' },
    ]);
    expect(String(error)).toContain(`lifeline.sock (ENOENT) nor through 127.0.0.1:1 (ECONNREFUSED) nor through ${directory}`);
  });

  it('and what was listening for it is gone', async () => {
    const tunnel = tunnelIn(await inDirectory());
    await expect(reach([tunnel], 100)).rejects.toMatchObject({ code: 'BRIDGE_LIFELINE_UNREACHABLE' });
    await expect(reach([{ transport: 'socket', broker: tunnel.path, lifeline: tunnel.path }], 100)).rejects.toThrow('ENOENT');
  });

  it('when the launch ends before', async () => {
    const controller = new AbortController();
    const reaching = reachLauncher([tunnelIn(await inDirectory())], { timeoutMs: 60_000, signal: controller.signal });
    controller.abort(new Error('stopped'));
    await expect(reaching).rejects.toThrow('stopped');
  });
});
