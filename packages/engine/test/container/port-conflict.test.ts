import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { capture, listContainers, portConflict, removeContainer, runArguments, type RunSpec } from '../../src/index.ts';
import { REAL_ENGINES, removeLabelled, runSpec } from '../helpers/engine.ts';

const LABEL = 'doompi.sandbox.test';
const VALUE = `engine-ports-${process.pid}`;

const DAEMON = 'docker: Error response from daemon: driver failed programming external connectivity on endpoint x (abc): ';

describe('portConflict', () => {
  it.each<[string, string, number | undefined]>([
    ['docker, another container', `${DAEMON}Bind for 127.0.0.1:1455 failed: port is already allocated\n`, 1455],
    [
      'docker, a process',
      `${DAEMON}Error starting userland proxy: listen tcp4 127.0.0.1:1455: bind: address already in use.\n`,
      1455,
    ],
    [
      'docker 28',
      'docker: Error response from daemon: failed to set up container networking: failed to bind host port for 127.0.0.1:1455:172.17.0.2:80/tcp: address already in use\n',
      1455,
    ],
    ['docker, IPv6', `${DAEMON}Error starting userland proxy: listen tcp6 [::1]:1455: bind: address already in use\n`, 1455],
    [
      'Docker Desktop',
      'docker: Error response from daemon: Ports are not available: exposing port TCP 127.0.0.1:1455 -> 0.0.0.0:0: bind: address already in use\n',
      1455,
    ],
    ['podman', 'Error: cannot listen on the TCP port: listen tcp4 127.0.0.1:1455: bind: address already in use\n', 1455],
    ['rootless podman', 'Error: rootlessport listen tcp 127.0.0.1:1455: bind: address already in use\n', 1455],
    ['without a number', 'Error: something: address already in use\n', undefined],
  ])('B24: knows the words of %s', (_, stderr, hostPort) => {
    expect(
      portConflict({ exitCode: 125, stderr: `Some notice\n${stderr}\nRun 'docker run --help' for more information\n` }),
    ).toEqual({ hostPort });
  });

  it.each<[string, number, string]>([
    ['a run that worked', 0, `${DAEMON}Bind for 127.0.0.1:1455 failed: port is already allocated\n`],
    ['what the program inside wrote', 1, 'Server: listen EADDRINUSE: address already in use 127.0.0.1:1455\n'],
    ['another failure', 125, 'docker: Error response from daemon: No such image: x\n'],
    ['nothing', 125, ''],
  ])('B24: %s is none', (_, exitCode, stderr) => {
    expect(portConflict({ exitCode, stderr })).toBeUndefined();
  });
});

/** Publishing needs a network. */
const spec = (hostPorts: readonly number[], hostIp: string): RunSpec => {
  const { network: _, ...networked } = runSpec(`${LABEL}=${VALUE}`, {
    command: ['sleep', '60'],
    publish: hostPorts.map((hostPort) => ({ hostIp, hostPort, containerPort: 80 })),
  });
  return networked;
};

const takenPort = async (host: string): Promise<number> => {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

for (const { name, skip, detect } of REAL_ENGINES)
  describe.skipIf(skip !== undefined)(`on real ${name}`, () => {
    afterAll(async () => removeLabelled(await detect(), `${LABEL}=${VALUE}`));

    it.each([
      ['127.0.0.1', '127.0.0.1'],
      ['0.0.0.0', '127.0.0.1'],
      ['127.0.0.1', '0.0.0.0'],
    ])('B24: a process on %s holds a port published on %s; no container is left', async (holder, hostIp) => {
      const engine = await detect();
      const port = await takenPort(holder);
      const answer = await capture(engine, runArguments(spec([port], hostIp), engine));
      expect(portConflict(answer)).toEqual({ hostPort: port });
      expect(await listContainers(engine, { labels: { [LABEL]: VALUE } })).toEqual([]);
    });

    it('B24: another container holds it; the one that was there goes on alone', async () => {
      const engine = await detect();
      const port = await freePort();
      const run = runArguments(spec([port], '127.0.0.1'), engine);
      const first = (await capture(engine, run.toSpliced(1, 0, '--detach'))).stdout.trim();
      const answer = await capture(engine, run);
      expect(portConflict(answer)).toEqual({ hostPort: port });
      expect((await listContainers(engine, { labels: { [LABEL]: VALUE } })).map(({ id }) => id)).toEqual([first]);
      await removeContainer(engine, first);
    });
  });
