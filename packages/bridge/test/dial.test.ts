import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { within } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { dial, dialledPath } from '../src/dial.ts';
import { BRIDGE_EXIT } from '../src/index.ts';
import { runBridgeProcess } from './helpers/process.ts';
import { endpoint, scratch } from './helpers/session.ts';
import { said, startDial } from './helpers/tunnel.ts';

describe('a dial', () => {
  it('carries bytes both ways, unread, and adds none', async () => {
    await using directory = await scratch();
    const path = join(directory.path, 'launcher.sock');
    await using served = await endpoint(
      createServer({ allowHalfOpen: true }, (socket) => void socket.pipe(socket)),
      path,
    );
    const child = startDial(path);
    const bytes = randomBytes(3 * 1024 * 1024);
    child.stdin?.end(bytes);
    const [stdout, stderr] = await Promise.all([
      buffer(child.stdout ?? new PassThrough()),
      text(child.stderr ?? new PassThrough()),
    ]);
    expect(stdout.equals(bytes)).toBe(true);
    expect([await said(child), stderr]).toEqual([0, '']);
    expect(served.sockets.size).toBe(0);
  });

  it('waits for a socket that comes later', async () => {
    await using directory = await scratch();
    const path = join(directory.path, 'launcher.sock');
    const input = new PassThrough();
    const output = new PassThrough();
    const dialling = dial({ path, input, output });
    input.write('early');
    await using served = await endpoint(
      createServer((socket) => void socket.pipe(socket)),
      path,
    );
    expect(String(((await once(output, 'data')) as [Buffer])[0])).toBe('early');
    await served.cut();
    await dialling;
  });

  it('gives up when nothing waits there, and says so on stderr only', async () => {
    await using directory = await scratch();
    const input = new PassThrough();
    const waited = dial({ path: join(directory.path, 'none'), input, output: new PassThrough(), timeoutMs: 100 });
    await expect(waited).rejects.toMatchObject({ code: 'BRIDGE_DIAL_FAILED', exitStatus: BRIDGE_EXIT.unreachable });
    const child = startDial(join(directory.path, 'none'));
    child.stdin?.end();
    const [stdout, stderr] = await Promise.all([
      text(child.stdout ?? new PassThrough()),
      text(child.stderr ?? new PassThrough()),
    ]);
    expect([await said(child), stdout]).toEqual([BRIDGE_EXIT.unreachable, '']);
    expect(stderr).toMatch(/^doompi-sandbox: nothing waits at .*none \(ENOENT\) \[BRIDGE_DIAL_FAILED\]\n$/);
  });

  it.each([
    ['its input ends', (child: ReturnType<typeof startDial>, _socket: Socket) => void child.stdin?.end()],
    ['the socket ends', (_child: ReturnType<typeof startDial>, socket: Socket) => void socket.end()],
    ['the socket is cut', (_child: ReturnType<typeof startDial>, socket: Socket) => void socket.destroy()],
  ])('ends when %s, although the other side does not', async (_name, end) => {
    await using directory = await scratch();
    const path = join(directory.path, 'launcher.sock');
    const server = createServer({ allowHalfOpen: true }, (socket) => void socket.resume());
    await using served = await endpoint(server, path);
    const child = startDial(path);
    const [socket] = (await once(server, 'connection')) as [Socket];
    socket.write('connected');
    await once(child.stdout ?? new PassThrough(), 'data');
    end(child, socket);
    expect(await within(said(child), { timeoutMs: 5000, what: 'the end of the dial' })).toBe(0);
    await served.cut();
  });
});

describe('a command line', () => {
  it.each([
    [['--dial', '/run/doompi-tunnel/launcher.sock'], '/run/doompi-tunnel/launcher.sock'],
    [['--dial'], undefined],
    [['--dial', 'relative'], undefined],
    [['--dial', '/a', 'more'], undefined],
    [['pi', '--dial', '/a'], undefined],
    [[], undefined],
  ])('%j dials %s', (command, path) => {
    expect(dialledPath(command)).toBe(path);
  });

  it('of an agent goes to it, --dial and all', async () => {
    const none = { sessionDirectory: '/nonexistent', extension: '/e.mjs' };
    const { status, stdout } = await runBridgeProcess(none, ['echo', '--dial', '/a']);
    expect([status, stdout.toString()]).toEqual([0, '--dial /a\n']);
  });

  it('that begins with an option is no agent', async () => {
    const none = { sessionDirectory: '/nonexistent', extension: '/e.mjs' };
    const { status, stderr } = await runBridgeProcess(none, ['--dial', '/a', 'more']);
    expect([status, stderr]).toEqual([BRIDGE_EXIT.usage, 'BRIDGE_USAGE: usage: bridge COMMAND [ARGUMENT...]\n']);
  });
});
