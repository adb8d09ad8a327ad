import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '@doompi-sandbox/engine';
import { runProgram, startModelServer, stubPrograms, temporaryDirectory, waitFor, within } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { KEY, startCallingAgent } from '../helpers/calling-agent.ts';
import { execClients, nameOf } from '../helpers/clients.ts';
import { containersOf, sandbox, sessionRepository, startSandbox } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const agent = useStandIn();

describe.each(['tunnel', 'tcp'])('a session over the %s', (transport) => {
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
  const { running, calls } = await startCallingAgent({
    options: [...agent(), '--transport', 'tunnel'],
    server,
    repository: repository.path,
    temporary: temporary.path,
  });
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
