import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BRIDGE_EXIT } from '../src/index.ts';
import { runBridgeProcess, startBridge } from './helpers/process.ts';
import { scratch, testSession, type TestSession } from './helpers/session.ts';

const node = (script: string): string[] => [process.execPath, '-e', script];

const where = ({ environment, workspace }: TestSession): { env: Record<string, string>; cwd: string } => ({
  env: environment,
  cwd: workspace,
});

/** An agent that asks the broker once and prints the answer. */
const asking = (port: number): string[] =>
  node(`fetch('http://127.0.0.1:${port}/anthropic/v1/messages').then(async (r) => console.log(r.status, await r.text()))`);

describe('in a session', () => {
  it('the agent reaches the broker, and its status is returned', async () => {
    await using session = await testSession('brokered', 'broker', 'lifeline');
    const { status, stdout, stderr } = await runBridgeProcess(session.options, asking(session.port), where(session));
    expect({ status, stdout: stdout.toString(), stderr }).toEqual({ status: 0, stdout: '200 broker says hello\n', stderr: '' });
  });

  it('leaves nothing in the workspace, and only the extension in the agent’s settings', async () => {
    await using session = await testSession('brokered', 'broker', 'lifeline');
    await runBridgeProcess(session.options, ['true'], where(session));
    expect(await readdir(session.workspace)).toEqual([]);
    expect(await readdir(session.home, { recursive: true })).toEqual(['.pi', '.pi/agent', '.pi/agent/settings.json']);
    const settings: unknown = JSON.parse(await readFile(join(session.home, '.pi/agent/settings.json'), 'utf8'));
    expect(settings).toEqual({ extensions: ['/opt/doompi/extension.mjs'] });
  });

  it('without a broker nothing listens', async () => {
    await using session = await testSession('unbrokered', 'lifeline');
    const agent = node(`fetch('http://127.0.0.1:${session.port}').catch((e) => console.log(e.cause.code))`);
    const { status, stdout } = await runBridgeProcess(session.options, agent, where(session));
    expect([status, stdout.toString()]).toEqual([0, 'ECONNREFUSED\n']);
  });

  it('ends with the agent although a connection is still open', async () => {
    await using session = await testSession('brokered', 'broker', 'lifeline');
    const running = startBridge(
      session.options,
      node('console.log("up"); process.stdin.on("end", () => process.exit(4)).resume()'),
      {
        ...where(session),
        keepInput: true,
      },
    );
    await running.said('up');
    const socket = connect(session.port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    const endedAt = performance.now();
    running.child.stdin?.end();
    expect((await running.finished).status).toBe(4);
    expect(performance.now() - endedAt).toBeLessThan(1500);
    socket.destroy();
  });
});

describe('before the agent starts', () => {
  it('B40: waits for a broker that comes late', async () => {
    await using session = await testSession('brokered', 'lifeline');
    const running = startBridge(session.options, asking(session.port), where(session));
    await delay(1000);
    expect(running.child.exitCode).toBeNull();
    await session.start('broker');
    const { status, stdout } = await running.finished;
    expect([status, stdout.toString()]).toEqual([0, '200 broker says hello\n']);
  });

  it('B40: a broker that never comes ends the launch with its own message within 10 s', async () => {
    await using session = await testSession('brokered', 'lifeline');
    const { status, stdout, stderr, elapsedMs } = await runBridgeProcess(session.options, ['echo', 'agent'], where(session));
    expect(status).toBe(BRIDGE_EXIT.unavailable);
    expect(stdout.toString()).toBe('');
    expect(stderr).toContain(
      `BRIDGE_BROKER_UNREACHABLE: the credential broker on the host cannot be reached through ${session.brokerPath} (ENOENT)`,
    );
    expect(elapsedMs).toBeLessThan(10_000);
  });

  it('B40: a taken port ends the launch', async () => {
    await using session = await testSession('brokered', 'broker', 'lifeline');
    const squatter = createServer((socket) => void socket.end()).listen(session.port, '127.0.0.1');
    await once(squatter, 'listening');
    const { status, stdout, stderr } = await runBridgeProcess(session.options, ['echo', 'agent'], where(session));
    squatter.close();
    expect([status, stdout.toString()]).toEqual([BRIDGE_EXIT.unavailable, '']);
    expect(stderr).toContain(`BRIDGE_LISTEN_FAILED: cannot listen on 127.0.0.1:${session.port} (EADDRINUSE)`);
  });

  it('B36: a socket path that the kernel cannot hold is refused with its length in bytes', async () => {
    await using session = await testSession('brokered');
    const file = join(session.directory, 'session');
    const path = `/run/${'é'.repeat(60)}/broker.sock`;
    await writeFile(file, (await readFile(file, 'utf8')).replace(session.brokerPath, path));
    const { status, stdout, stderr } = await runBridgeProcess(session.options, ['echo', 'agent'], where(session));
    expect([status, stdout.toString()]).toEqual([BRIDGE_EXIT.config, '']);
    expect(stderr).toContain('BRIDGE_SOCKET_PATH_TOO_LONG: socket path is 137 bytes long, the limit is 107');
  });

  it('B39: a session directory that is hidden stops the launch', async () => {
    await using session = await testSession('brokered');
    await rm(join(session.directory, 'session'));
    const { status, stdout, stderr } = await runBridgeProcess(session.options, ['echo', 'agent'], where(session));
    expect([status, stdout.toString()]).toEqual([BRIDGE_EXIT.unavailable, '']);
    expect(stderr).toContain('BRIDGE_SESSION_MISSING');
    expect(stderr).toContain(`Is something mounted over ${session.directory}`);
  });

  it('a session file of another version stops the launch', async () => {
    await using session = await testSession('brokered');
    await writeFile(join(session.directory, 'session'), '{"version":2}');
    const { status, stderr } = await runBridgeProcess(session.options, ['echo', 'agent'], where(session));
    expect(status).toBe(BRIDGE_EXIT.config);
    expect(stderr).toContain('version 2 is not known');
  });

  it('a workspace that cannot be written stops the launch, naming errno, path and user', async () => {
    await using session = await testSession('unbrokered', 'lifeline');
    const options = { env: session.environment, cwd: '/proc' };
    const { status, stdout, stderr } = await runBridgeProcess(session.options, ['echo', 'agent'], options);
    expect([status, stdout.toString()]).toEqual([BRIDGE_EXIT.cannotCreate, '']);
    expect(stderr).toMatch(/^BRIDGE_WORKSPACE_NOT_WRITABLE: the workspace \/proc is not writable for user \d+ .*\(E[A-Z]+\)/m);
    const skipped = await runBridgeProcess({ ...session.options, writableWorkspace: false }, ['echo', 'agent'], options);
    expect([skipped.status, skipped.stdout.toString()]).toEqual([0, 'agent\n']);
  });

  it('B11: a volume that the user cannot write stops the launch, naming it and what to do', async () => {
    await using session = await testSession('unbrokered', 'lifeline');
    await using writable = await scratch();
    const file = join(session.directory, 'session');
    const content = JSON.parse(await readFile(file, 'utf8')) as object;
    const run = async (paths: readonly string[]) => {
      await writeFile(file, JSON.stringify({ ...content, writable: paths }));
      return runBridgeProcess(session.options, ['echo', 'agent'], where(session));
    };
    const refused = await run([writable.path, '/proc']);
    expect([refused.status, refused.stdout.toString()]).toEqual([BRIDGE_EXIT.cannotCreate, '']);
    expect(refused.stderr).toMatch(
      /^BRIDGE_VOLUME_NOT_WRITABLE: the volume at \/proc is not writable for user \d+ .*Remove that volume/m,
    );
    expect((await run([writable.path])).stdout.toString()).toBe('agent\n');
    expect(await readdir(writable.path)).toEqual([]);
  });

  it('a failed launch ends at once, whatever else it waits for', async () => {
    await using session = await testSession('brokered');
    const options = { env: session.environment, cwd: '/proc' };
    const { status, elapsedMs } = await runBridgeProcess(session.options, ['echo', 'agent'], options);
    expect(status).toBe(BRIDGE_EXIT.cannotCreate);
    expect(elapsedMs).toBeLessThan(5000);
  });

  it('a signal ends the launch', async () => {
    await using session = await testSession('brokered', 'lifeline');
    const running = startBridge(session.options, ['echo', 'agent'], where(session));
    await once(session.served.lifeline.server, 'connection');
    running.child.kill('SIGTERM');
    const { status, stdout, elapsedMs } = await running.finished;
    expect([status, stdout.toString()]).toEqual([143, '']);
    expect(elapsedMs).toBeLessThan(5000);
  });

  it('B56: a launcher that is not there stops the launch', async () => {
    await using session = await testSession('unbrokered');
    const options = { ...session.options, readyTimeoutMs: 500 };
    const { status, stdout, stderr } = await runBridgeProcess(options, ['echo', 'agent'], where(session));
    expect([status, stdout.toString()]).toEqual([BRIDGE_EXIT.unreachable, '']);
    expect(stderr).toContain(
      `BRIDGE_LIFELINE_UNREACHABLE: the launcher cannot be reached through ${session.lifelinePath} (ENOENT)`,
    );
  });
});

describe('outside a session', () => {
  it('just runs the command', async () => {
    await using directory = await scratch();
    const environment = { PATH: process.env['PATH'], HOME: directory.path };
    const options = { sessionDirectory: join(directory.path, 'none'), extension: '/e.mjs' };
    const { status, stdout } = await runBridgeProcess(options, ['sh', '-c', 'echo "$0"; exit 7', 'a b'], {
      env: environment,
      cwd: '/proc',
    });
    expect([status, stdout.toString()]).toEqual([7, 'a b\n']);
    expect(await readdir(directory.path)).toEqual([]);
  });
});
