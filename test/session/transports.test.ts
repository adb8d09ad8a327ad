import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '@doompi-sandbox/engine';
import {
  runProgram,
  startModelServer,
  stubPrograms,
  temporaryDirectory,
  waitFor,
  within,
  type ModelServer,
} from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { containerOf, containersOf, sandbox, sessionRepository, startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const agent = useStandIn();

const KEY = 'sk-ant-api03-real-0123456789abcdef';

/** Calls the provider again and again and writes down each status; ends when there is a file `stop`. */
const CALLS = `
const fs = require('node:fs');
const call = async () => {
  const headers = { 'x-api-key': process.env.ANTHROPIC_API_KEY, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] });
  const response = await fetch('http://127.0.0.1:8317/anthropic/api.anthropic.com/v1/messages', { method: 'POST', headers, body });
  await response.text();
  return response.status;
};
const main = async () => {
  while (!fs.existsSync('stop')) {
    const status = await call().catch(() => 'failed');
    fs.appendFileSync('calls', status + '\\n');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
process.on('SIGTERM', () => {});
main();
`;

interface Calling {
  readonly running: RunningSandbox;
  readonly calls: () => Promise<string[]>;
}

/** A session over this transport whose agent has called its provider once. */
const startCalling = async (transport: string, server: ModelServer, path: string, temporary: string): Promise<Calling> => {
  await writeFile(join(path, 'calls.cjs'), CALLS);
  const options = ['--transport', transport, '--upstream', `anthropic=${server.url}`];
  const running = startSandbox([...agent(), ...options, '--', 'node', 'calls.cjs'], {
    cwd: path,
    environment: { ANTHROPIC_API_KEY: KEY, TMPDIR: temporary },
    detached: true,
  });
  const calls = async (): Promise<string[]> => (await readFile(join(path, 'calls'), 'utf8')).trim().split('\n');
  await waitFor(async () => (await calls()).includes('200'), { timeoutMs: 30_000, what: 'a provider call' });
  return { running, calls };
};

/** Process ids of the engine's clients that run a program in this container. */
const execClients = async (container: string): Promise<readonly number[]> => {
  const { stdout } = await runProgram('ps', ['-eo', 'pid=,args=']);
  return stdout
    .split('\n')
    .filter((line) => /\bexec --interactive\b/.test(line) && line.includes(container))
    .map((line) => Number.parseInt(line, 10));
};

describe.each(['tunnel', 'tcp'])('a session over the %s', (transport) => {
  it.each([
    ['the launcher', false],
    ['the launcher and its whole process group', true],
  ])('B56: after kill -9 of %s the container is gone within 15 s and no provider call succeeds', async (_what, group) => {
    await using server = await startModelServer({ key: KEY });
    await using repository = await sessionRepository();
    // A killed launcher cannot remove its own directory.
    await using temporary = await temporaryDirectory();
    const { running, calls } = await startCalling(transport, server, repository.path, temporary.path);
    const name = await nameOf(repository.path);
    process.kill(group ? -running.pid : running.pid, 'SIGKILL');
    await running.closed;
    const before = server.requests.length;
    await waitFor(async () => (await containersOf(repository.path)).length === 0, {
      timeoutMs: 15_000,
      what: 'the container to be gone',
    });
    expect(server.requests.length).toBe(before);
    const statuses = await calls();
    expect(statuses.slice(statuses.lastIndexOf('200') + 1).length, 'failed calls after the last success').toBeGreaterThan(0);
    await waitFor(async () => (await execClients(name)).length === 0, { what: 'the client of the tunnel to be gone' });
  });

  it('leaves no container and no client', async () => {
    await using repository = await sessionRepository();
    const running = startSandbox([...agent(), '--transport', transport, '--', 'cat'], { cwd: repository.path });
    const name = await nameOf(repository.path);
    running.child.stdin?.end('through\n');
    expect([await running.stdout, await running.stderr]).toEqual(['through\n', '']);
    await running.closed;
    expect(running.child.exitCode).toBe(0);
    expect(await containersOf(repository.path)).toEqual([]);
    expect(await execClients(name)).toEqual([]);
  });

  it('returns the status of its agent and delivers signals', async () => {
    await using repository = await sessionRepository();
    const script = `trap 'exit 7' TERM; echo up > up; while :; do sleep 0.1; done`;
    const running = startSandbox([...agent(), '--transport', transport, '--', 'sh', '-c', script], { cwd: repository.path });
    await waitFor(() => readFile(join(repository.path, 'up')), { timeoutMs: 30_000, what: 'the agent to run' });
    running.child.kill('SIGTERM');
    await within(running.closed, { timeoutMs: 10_000, what: 'the launcher to end' });
    expect(running.child.exitCode).toBe(7);
  });
});

it("B56: a tunnel whose client is killed is dialled again, and the session's calls pass on", async () => {
  await using server = await startModelServer({ key: KEY });
  await using repository = await sessionRepository();
  await using temporary = await temporaryDirectory();
  const { running, calls } = await startCalling('tunnel', server, repository.path, temporary.path);
  const name = await nameOf(repository.path);
  for (let round = 0; round < 3; round += 1) {
    const [client] = await waitFor(async () => {
      const clients = await execClients(name);
      return clients.length > 0 && clients;
    });
    if (client === undefined) throw new Error('no client');
    const before = (await calls()).length;
    process.kill(client, 'SIGKILL');
    await waitFor(async () => (await calls()).slice(before + 1).includes('200'), { timeoutMs: 10_000, what: 'a call again' });
  }
  await writeFile(join(repository.path, 'stop'), '');
  await within(running.closed, { timeoutMs: 10_000, what: 'the session to end' });
  expect(running.child.exitCode).toBe(0);
});

it('S12: nobody else on this host reaches broker or launcher over the port of a tcp session', async () => {
  await using repository = await sessionRepository();
  const script = `echo up > up; cat; node -e '
    const { transports: [t] } = JSON.parse(require("fs").readFileSync("/run/doompi/session"));
    console.log(t.host, t.port)'`;
  const running = startSandbox([...agent(), '--transport', 'tcp', '--', 'sh', '-c', script], { cwd: repository.path });
  await waitFor(() => readFile(join(repository.path, 'up')), { timeoutMs: 30_000, what: 'the agent to run' });
  const { stdout: listeners } = await runProgram('ss', ['-Hltnp']);
  const own = listeners.split('\n').filter((line) => line.includes(`pid=${running.pid},`));
  expect(own).toHaveLength(1);
  const address = own[0]?.split(/\s+/)[3] ?? '';
  expect(address).not.toMatch(/^(?:0\.0\.0\.0|\*|\[?::\]?):/);
  const answers = await Promise.all(
    [`http://${address}/anthropic/v1/messages`, `https://${address}/`].map(async (url) =>
      runProgram('curl', ['--silent', '--insecure', '--max-time', '5', '--http2-prior-knowledge', url]),
    ),
  );
  for (const { exitCode, stdout } of answers) {
    expect(exitCode).not.toBe(0);
    expect(stdout).toBe('');
  }
  running.child.stdin?.end();
  expect((await running.stdout).trim().replace(' ', ':')).toBe(address);
});

it('a session whose mounted socket does not open takes the tunnel by itself, and says why', async () => {
  await using repository = await sessionRepository();
  await using temporary = await temporaryDirectory();
  const found = findProgram('docker', { path: process.env['PATH'] });
  // The socket is gone when the container looks for it.
  await using stubs = await stubPrograms({
    docker: `[ "$1" = run ] && rm ${temporary.path}/doompi-sandbox-*/mount/lifeline.sock\nexec '${found}' "$@"`,
  });
  const loud = agent().filter((option) => option !== '--quiet');
  const { exitCode, stdout, stderr } = await sandbox([...loud, '--', 'echo', 'answer'], {
    cwd: repository.path,
    environment: { TMPDIR: temporary.path, PATH: stubs.pathBefore() },
  });
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: 'answer\n',
    stderr: expect.stringContaining("by a tunnel through the engine's exec, because it cannot by mounted sockets (ENOENT)"),
  });
  expect((await stubs.calls('docker')).filter(([command]) => command === 'exec').length).toBeGreaterThan(0);
});

it('a transport that was named and cannot be is an error, before anything starts', async () => {
  await using repository = await sessionRepository();
  const result = await sandbox(['--transport', 'carrier-pigeon'], { cwd: repository.path });
  expect(result).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('auto, socket, tcp, tunnel') });
});

/** Name of the one container of a repository. */
const nameOf = async (repository: string): Promise<string> => {
  const { stdout } = await runProgram('docker', ['inspect', '--format', '{{.Name}}', await containerOf(repository)]);
  return stdout.trim().replace('/', '');
};
