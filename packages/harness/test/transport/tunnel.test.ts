import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { stubPrograms, temporaryDirectory, waitFor, within, type StubPrograms } from '@doompi-sandbox/testkit';
import type { Engine } from '@doompi-sandbox/engine';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLifeline, type Lifeline } from '../../src/sessions/lifeline.ts';
import { openTunnel, type Tunnel, type TunnelOptions } from '../../src/transport/tunnel.ts';
import { engineOf } from '../helpers/engine.ts';

const TIMING = { lateMs: 200, retryMs: 20, longestRetryMs: 50, endMs: 300 };

/** Stands for the program in the container: its streams are the socket's. */
const PIPE = `const socket = require('node:net').connect(process.argv[1]);
process.stdin.pipe(socket).pipe(process.stdout);
socket.on('error', () => process.exit(1)).on('close', () => process.exit(0));`;

interface World {
  readonly directory: string;
  readonly engine: Engine;
  readonly stubs: StubPrograms;
  readonly lifeline: Lifeline;
  /** Where the container's end is. */
  readonly path: string;
  readonly open: (options?: Partial<TunnelOptions>) => Tunnel;
  readonly dials: () => Promise<number>;
}

/** An engine whose exec is this script; \`$D\` is a directory of the test's, \`$PIPE\` runs the program. */
const world = async (script = 'eval "$PIPE"'): Promise<World> => {
  const directory = await temporaryDirectory();
  const path = join(directory.path, 'c.sock');
  const pipe = `exec '${process.execPath}' -e "$(cat '${directory.path}/pipe.js')" '${path}'`;
  await writeFile(join(directory.path, 'pipe.js'), PIPE);
  const stubs = await stubPrograms({ docker: `D='${directory.path}'\nPIPE=${JSON.stringify(pipe)}\n${script}` });
  const engine = engineOf({ file: join(stubs.directory, 'docker'), environment: { PATH: process.env['PATH'] ?? '' } });
  const lifeline = await openLifeline(undefined);
  const tunnels: Tunnel[] = [];
  onTestFinished(async () => {
    await Promise.all(tunnels.map(async (tunnel) => tunnel[Symbol.asyncDispose]()));
    await lifeline[Symbol.asyncDispose]();
    await stubs.dispose();
    await directory.dispose();
  });
  const open = (options: Partial<TunnelOptions> = {}): Tunnel => {
    const channels = { lifeline: (connection: Duplex) => lifeline.accept(connection) };
    const socketPath = join(directory.path, 't.sock');
    const tunnel = openTunnel({
      engine,
      container: 'c',
      when: 'at-once',
      lifeline,
      channels,
      socketPath,
      timing: TIMING,
      ...options,
    });
    tunnels.push(tunnel);
    return tunnel;
  };
  return {
    directory: directory.path,
    engine,
    stubs,
    lifeline,
    path,
    open,
    dials: async () => (await stubs.calls('docker')).length,
  };
};

/** The container's end of a tunnel: takes a lifeline on each connection. */
const container = async (path: string): Promise<{ readonly server: Server; readonly sessions: ClientHttp2Session[] }> => {
  const sessions: ClientHttp2Session[] = [];
  const server = createServer((socket: Socket) => {
    const session = connectHttp2('http://launcher', { createConnection: () => socket });
    session.on('error', () => {});
    sessions.push(session);
    session
      .request({ ':method': 'CONNECT', ':authority': 'lifeline' })
      .on('error', () => {})
      .resume();
  });
  server.listen(path);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const session of sessions) session.destroy();
  });
  return { server, sessions };
};

describe('the tunnel of a launcher', () => {
  it('runs the bridge in the container as its own user, with names in the arguments and no terminal', async () => {
    const { stubs, lifeline, path, open } = await world();
    await container(path);
    open();
    await lifeline.firstConnection;
    expect(await stubs.calls('docker')).toEqual([
      ['exec', '--interactive', 'c', 'node', '/opt/doompi/bridge.mjs', '--dial', '/run/doompi-tunnel/launcher.sock'],
    ]);
  });

  it('is dialled until the container is there', async () => {
    const { lifeline, path, open, dials, directory } = await world(
      `echo "Error: No such container: c" >&2; [ -e "$D/up" ] || exit 1\neval "$PIPE"`,
    );
    await container(path);
    const tunnel = open();
    await waitFor(async () => (await dials()) >= 3);
    expect(lifeline.connected).toBe(false);
    expect(tunnel.problem).toBe('Error: No such container: c');
    await writeFile(join(directory, 'up'), '');
    await within(lifeline.firstConnection, { what: 'the lifeline' });
  });

  it('is dialled again when the client is lost, so that the session lives on', async () => {
    const { lifeline, path, open, directory } = await world(`echo $$ > "$D/pid"; eval "$PIPE"`);
    const { sessions } = await container(path);
    open();
    await lifeline.firstConnection;
    process.kill(Number(await readFile(join(directory, 'pid'), 'utf8')), 'SIGKILL');
    await waitFor(async () => sessions.length === 2 && sessions[0]?.destroyed && (await lifeline.outlives(0)));
  });

  it('is not dialled for a container that connects in time by another way', async () => {
    const { lifeline, open, dials } = await world();
    open({ when: 'when-late', lifeline: { connected: true, firstConnection: Promise.resolve() } });
    const other = await world();
    other.open({ when: 'when-late', timing: { ...TIMING, lateMs: 30 } });
    // The one that is late has been dialled for a while when the other one still is not.
    await waitFor(async () => (await other.dials()) >= 3);
    expect(lifeline.connected).toBe(false);
    expect(await dials()).toBe(0);
  });

  it('ends when the container came by another way after all', async () => {
    const { lifeline, open, directory, dials } = await world(`echo $$ > "$D/pid"; exec sleep 60`);
    open();
    const pid = await waitFor(async () => Number(await readFile(join(directory, 'pid'), 'utf8')));
    const { server } = await container(join(directory, 'other'));
    lifeline.accept(await connectTo(join(directory, 'other')));
    await waitFor(() => isGone(pid));
    server.close();
    expect(await dials()).toBe(1);
  });

  it('ends with the session: the client by itself, or by force when it does not', async () => {
    const { path, lifeline, open } = await world();
    await container(path);
    const tunnel = open();
    await lifeline.firstConnection;
    await within(disposed(tunnel), { timeoutMs: 5000 });
    const stubborn = await world(`trap '' TERM; echo $$ > "$D/pid"; exec sleep 60`);
    const other = stubborn.open();
    const pid = await waitFor(async () => Number(await readFile(join(stubborn.directory, 'pid'), 'utf8')));
    await within(disposed(other), { timeoutMs: 5000 });
    expect(isGone(pid)).toBe(true);
  });

  it('is not dialled any more once it is told to stop, and lives on until it is lost', async () => {
    const { path, lifeline, open, dials, directory } = await world(`echo $$ > "$D/pid"; eval "$PIPE"`);
    await container(path);
    const tunnel = open();
    await lifeline.firstConnection;
    tunnel.stopDialling();
    expect(await lifeline.outlives(50)).toBe(true);
    process.kill(Number(await readFile(join(directory, 'pid'), 'utf8')), 'SIGKILL');
    await waitFor(async () => !(await lifeline.outlives(0)));
    await tunnel[Symbol.asyncDispose]();
    expect(await dials()).toBe(1);
  });

  it('S09: repeats what the client said in one line without control characters', async () => {
    const { open } = await world(String.raw`printf 'a\033]0;owned\007b\nc\r' >&2; exit 1`);
    const tunnel = open();
    expect(await waitFor(() => tunnel.problem)).toBe('a ]0;owned b c');
  });
});

const disposed = async (tunnel: Tunnel): Promise<void> => tunnel[Symbol.asyncDispose]();

/** Connected by hand, as by a mounted socket. */
const connectTo = async (path: string): Promise<Socket> => {
  const socket = connect(path);
  await once(socket, 'connect');
  return socket;
};

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};
