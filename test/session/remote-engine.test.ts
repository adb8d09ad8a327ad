import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { stubPrograms } from '@doompi-sandbox/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { sandbox, sessionEnvironment, sessionRepository, testEngine } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const standIn = useStandIn();

/** Docker's socket of this machine, reached over tcp: nothing says that the two share files. */
const overTcp = async (): Promise<string> => {
  const { endpoint } = await testEngine();
  if (endpoint?.transport !== 'unix') throw new Error('the docker of these tests is not on a Unix socket');
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const daemon = connect({ path: endpoint.path, allowHalfOpen: true });
    client.on('error', () => daemon.destroy()).pipe(daemon);
    daemon.on('error', () => client.destroy()).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

it('a server on this machine that is reached over tcp runs sessions, by the tunnel', async () => {
  await using repository = await sessionRepository();
  const environment = { DOCKER_HOST: await overTcp() };
  const args = standIn().filter((option) => option !== '--quiet');
  const { exitCode, stdout, stderr } = await sandbox([...args, '--', 'cat', 'README.md'], { cwd: repository.path, environment });
  expect([exitCode, stdout], stderr).toEqual([0, '# Scratch\n']);
  expect(stderr).toContain('by a tunnel');
});

it('a server that does not see the files of this machine is named, and what to do', async () => {
  await using repository = await sessionRepository();
  const { file } = await testEngine();
  const said = 'docker: Error response from daemon: invalid mount config for type "bind": bind source path does not exist: /x.';
  await using stubs = await stubPrograms({ docker: `[ "$1" = run ] || exec ${file} "$@"; echo '${said}' >&2; exit 125` });
  const environment = { DOCKER_HOST: await overTcp(), PATH: stubs.pathBefore(sessionEnvironment()['PATH'] ?? '') };
  const { exitCode, stderr } = await sandbox([...standIn(), '--', 'true'], { cwd: repository.path, environment });
  expect(exitCode).toBe(125);
  expect(stderr).toContain(said);
  expect(stderr).toMatch(/docker at tcp:\/\/127\.0\.0\.1:\d+ could not make the container.*\[LAUNCH_FILES_NOT_SHARED\]/);
});
