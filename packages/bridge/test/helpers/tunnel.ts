import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Channel } from '@doompi-sandbox/contract';
import { onTestFinished } from 'vitest';
import { serveMultiplex, type AcceptChannel, type MultiplexServer } from '../../src/index.ts';
import { tunnelUplink } from '../../src/uplink/tunnel.ts';
import type { Uplink } from '../../src/uplink/uplink.ts';
import { SOURCE_FLAGS } from './process.ts';
import { scratch } from './session.ts';

const ENTRY = fileURLToPath(new URL('../../src/entry.ts', import.meta.url));

export type Channels = Readonly<Partial<Record<Channel, AcceptChannel>>>;

/** The program that the launcher runs in the container. */
export const startDial = (path: string, streams: 'pipe' | Socket = 'pipe'): ChildProcess => {
  const child = spawn(process.execPath, [...SOURCE_FLAGS, ENTRY, '--dial', path], { stdio: [streams, streams, 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

export interface Dialled {
  readonly child: ChildProcess;
  readonly multiplex: MultiplexServer;
}

/** Two ends of one connection. */
const pair = async (path: string): Promise<readonly [Socket, Socket]> => {
  const server = createServer({ pauseOnConnect: true }).listen(path);
  const near = connect(path);
  const [[far]] = await Promise.all([once(server, 'connection') as Promise<[Socket]>, once(near, 'connect')]);
  server.close();
  return [near, far];
};

/** Dials as the launcher does and serves these channels. */
export const dialTo = async (path: string, channels: Channels): Promise<Dialled> => {
  const [carrier, far] = await pair(`${path}.pair`);
  const child = startDial(path, far);
  far.destroy();
  carrier.on('error', () => {});
  const multiplex = serveMultiplex(carrier, channels);
  onTestFinished(() => multiplex[Symbol.dispose]());
  return { child, multiplex };
};

export interface TestTunnel extends Dialled {
  readonly uplink: Uplink;
  readonly path: string;
}

/** A tunnel through a process of its own, dialled. Gone after the test. */
export const startTunnel = async (channels: Channels): Promise<TestTunnel> => {
  const directory = await scratch();
  const path = join(directory.path, 'launcher.sock');
  const uplink = await tunnelUplink({ transport: 'tunnel', path }, '');
  onTestFinished(async () => {
    await uplink[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });
  return { uplink, path, ...(await dialTo(path, channels)) };
};

/** A connection to the broker through the uplink. */
export const toBrokerOf = async (uplink: Uplink): Promise<Duplex> => uplink.connect('broker', { patienceMs: 10_000 });

/** Ends with the error of a connection, if it closed with one. */
export const closingOf = async (connection: Duplex): Promise<Error | undefined> => {
  let failure: Error | undefined;
  connection.on('error', (error) => (failure = error));
  if (!connection.closed) await new Promise<void>((resolve) => void connection.once('close', () => resolve()));
  return failure ?? connection.errored ?? undefined;
};

export const said = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return child.exitCode;
};
