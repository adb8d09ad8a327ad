import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { capture } from '@doompi-sandbox/engine';
import { startModelServer, within, type ModelServer } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { containerOf, engineOutput, sandbox, sessionRepository, startSandbox, testEngine } from '../helpers/sandbox.ts';

const KEY = 'sk-ant-api03-real-0123456789abcdef';

/** Settings, sessions and all else that a session left in the agent's home. */
const homeFiles = async (volume: string, image: string): Promise<string> =>
  engineOutput(
    'run',
    '--rm',
    '--network',
    'none',
    '--mount',
    `type=volume,source=${volume},target=/home-volume`,
    '--entrypoint',
    'sh',
    image,
    '-c',
    'cd /home-volume && grep -r "" . || true',
  );

/** Runs `during` beside a living agent, in its container. */
const besideAgent = async (
  server: ModelServer,
  cwd: string,
  during: (
    exec: (script: string) => Promise<{ exitCode: number; stdout: string; stderr: string }>,
    container: string,
  ) => Promise<void>,
): Promise<void> => {
  const running = startSandbox(['--quiet', '--upstream', `anthropic=${server.url}`, '--', '--mode', 'rpc'], {
    cwd,
    environment: { ANTHROPIC_API_KEY: KEY },
  });
  try {
    const container = await containerOf(cwd);
    // The first record says that the agent is up, and with it the bridge.
    running.child.stdin?.write('{"id":"1","type":"get_state"}\n');
    if (running.child.stdout === null) throw new Error('no stdout');
    await within(once(createInterface({ input: running.child.stdout }), 'line'), { timeoutMs: 30_000, what: 'the agent' });
    const engine = await testEngine();
    await during(
      async (script) => capture(engine, ['exec', '--workdir', cwd, container, 'sh', '-c', script], { timeoutMs: 120_000 }),
      container,
    );
  } finally {
    running.child.stdin?.end();
    await running.closed;
  }
};

interface ConnectProxy extends AsyncDisposable {
  readonly url: string;
  /** What it was asked to connect to. It never does. */
  readonly targets: readonly string[];
}

/** A proxy that containers reach, and that refuses every CONNECT. */
const startConnectProxy = async (gateway: string): Promise<ConnectProxy> => {
  const targets: string[] = [];
  const server = createServer((_request, response) => response.writeHead(403).end());
  server.on('connect', (request, socket) => {
    targets.push(request.url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  });
  server.listen(0, gateway);
  await once(server, 'listening');
  return {
    url: `http://${gateway}:${(server.address() as AddressInfo).port}`,
    targets,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

const MODULE = '/opt/doompi/agent/node_modules/@earendil-works/pi-coding-agent';

it.each([
  ['the shim', 'pi -p nested'],
  ['the shim, told to load no extensions', 'pi --no-extensions -p nested'],
  ['npx', 'npx --yes @earendil-works/pi-coding-agent@1.6.0 -p nested'],
  ['node and path', `node "$(readlink -f ${MODULE}/../../.bin/pi)" -p nested`],
])('a nested pi started by %s is brokered', async (_how, command) => {
  await using server = await startModelServer({ key: KEY });
  await using repository = await sessionRepository();
  await besideAgent(server, repository.path, async (exec) => {
    const result = await exec(`${command} </dev/null`);
    expect(result, result.stderr).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('nested') });
    expect(result.stderr).not.toContain('already');
  });
  expect(server.requests).toMatchObject([{ status: 200, credentials: [{ slot: 'x-api-key', isRealKey: true }] }]);
});

it('nothing of a brokered session stays in the home: the next one, not brokered, calls directly', async () => {
  await using server = await startModelServer({ key: KEY, answer: 'brokered' });
  await using repository = await sessionRepository();
  let image = '';
  let volume = '';
  let gateway = '';
  await besideAgent(server, repository.path, async (exec, container) => {
    expect((await exec('pi -p one </dev/null')).stdout).toContain('brokered');
    const format = '{{.Image}} {{range .Mounts}}{{.Name}}{{end}} {{.NetworkSettings.Gateway}}';
    [image = '', volume = '', gateway = ''] = (await engineOutput('container', 'inspect', '--format', format, container))
      .trim()
      .split(' ');
  });
  expect(await homeFiles(volume, image)).not.toMatch(/127\.0\.0\.1:8317|broker\.sock|sk-[\w-]{40}/);
  const calls = server.requests.length;
  await using proxy = await startConnectProxy(gateway);
  const result = await sandbox(['--env', 'ANTHROPIC_API_KEY', '--no-broker', '--quiet', '--', '-p', 'two'], {
    cwd: repository.path,
    environment: { ANTHROPIC_API_KEY: 'sk-ant-api03-not-a-key', HTTPS_PROXY: proxy.url },
  });
  expect(result.exitCode).not.toBe(0);
  expect(new Set(proxy.targets)).toEqual(new Set(['api.anthropic.com:443']));
  expect(server.requests.length).toBe(calls);
});
