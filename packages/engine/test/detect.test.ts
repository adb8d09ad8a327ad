import { createServer } from 'node:net';
import { join } from 'node:path';
import { stubPrograms, temporaryDirectory } from '@doompi-sandbox/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { detectEngine, type EngineError, findProgram, isEngineError } from '../src/index.ts';

const HEALTHY = JSON.stringify({
  Client: { Version: '28.2.2', ApiVersion: '1.41' },
  Server: { Version: '20.10.24', Os: 'linux', Arch: 'amd64', Components: [{ Name: 'Engine' }] },
});
const DOWN = JSON.stringify({ Client: { Version: '28.2.2', ApiVersion: '1.50' }, Server: null });

/** A `docker` whose `version` does this and whose `context inspect` names an endpoint. */
const dockerStub = (version: string): string =>
  `case "$1" in version) ${version} ;; context) echo '"unix:///stub.sock"' ;; *) exit 9 ;; esac`;

const print = (text: string): string => `printf '%s\\n' '${text}'`;

const pathWith = async (programs: Record<string, string>): Promise<string> => {
  const stubs = await stubPrograms(programs);
  onTestFinished(() => stubs.dispose());
  return stubs.path;
};

const failure = async (options: Parameters<typeof detectEngine>[0]): Promise<EngineError> => {
  const error: unknown = await detectEngine(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isEngineError(error)) throw new Error('expected an EngineError', { cause: error });
  return error;
};

describe('detectEngine', () => {
  it('reports versions and platform, and keeps what the client reads of the environment', async () => {
    const path = await pathWith({ docker: dockerStub(print(HEALTHY)) });
    const environment = {
      PATH: path,
      HOME: '/h',
      DOCKER_HOST: 'unix:///d',
      HTTPS_PROXY: 'p',
      XDG_RUNTIME_DIR: '/x',
      OPENAI_API_KEY: 'k',
    };
    expect(await detectEngine({ environment })).toEqual({
      name: 'docker',
      file: join(path, 'docker'),
      clientVersion: '28.2.2',
      serverVersion: '20.10.24',
      apiVersion: '1.41',
      platform: { os: 'linux', architecture: 'amd64' },
      environment: { PATH: path, HOME: '/h', DOCKER_HOST: 'unix:///d', HTTPS_PROXY: 'p', XDG_RUNTIME_DIR: '/x' },
    });
  });

  it('asks once when all is well, and does not read stderr', async () => {
    const stubs = await stubPrograms({ docker: dockerStub(`echo 'Emulate Docker CLI' >&2; ${print(HEALTHY)}`) });
    onTestFinished(() => stubs.dispose());
    const { clientVersion } = await detectEngine({ environment: { PATH: stubs.path } });
    expect(clientVersion).toBe('28.2.2');
    expect(await stubs.calls('docker')).toEqual([['version', '--format', '{{json .}}']]);
  });

  it('says what to install when there is nothing', async () => {
    const error = await failure({ environment: { PATH: '/nonexistent' } });
    expect(error.code).toBe('ENGINE_NOT_FOUND');
    expect(error.message).toMatch(/docker, podman, nerdctl, finch.*apt-get install docker\.io/);
  });

  it('B02: a server that is down is no working engine; its endpoint and its words are told', async () => {
    const path = await pathWith({ docker: dockerStub(`echo ' cannot connect ' >&2; ${print(DOWN)}; exit 1`) });
    const error = await failure({ environment: { PATH: path } });
    expect(error).toMatchObject({
      code: 'ENGINE_UNREACHABLE',
      details: { endpoint: 'unix:///stub.sock', stderr: 'cannot connect' },
    });
    expect(error.message).toContain('unix:///stub.sock');
  });

  it('B02: a client that prints no report at all is unreachable too', async () => {
    const path = await pathWith({ docker: `echo 'context "x" not found' >&2; exit 1` });
    const environment = { PATH: path, DOCKER_HOST: 'tcp://me:password@far:1' };
    const error = await failure({ environment });
    expect(error).toMatchObject({ code: 'ENGINE_UNREACHABLE', details: { stderr: 'context "x" not found' } });
    expect(JSON.stringify([error.message, error.details])).not.toContain('password');
  });

  it('B02: a server that accepts and never answers is given up at the deadline', async () => {
    const path = await pathWith({ docker: dockerStub('exec /bin/sleep 60') });
    const started = performance.now();
    const error = await failure({ environment: { PATH: path }, timeoutMs: 300 });
    expect(error).toMatchObject({ code: 'ENGINE_TIMEOUT', details: { timeoutMs: 300, command: 'version' } });
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('B02: the real command against a socket where nobody answers', async ({ skip }) => {
    const docker = findProgram('docker', { path: process.env['PATH'] });
    if (docker === undefined) skip('no docker command here');
    const directory = await temporaryDirectory();
    onTestFinished(() => directory.dispose());
    const silent = createServer(() => undefined).listen(join(directory.path, 'silent.sock'));
    onTestFinished(() => void silent.close());
    const environment = { ...process.env, DOCKER_HOST: `unix://${directory.path}/silent.sock` };
    expect((await failure({ environment, timeoutMs: 500 })).code).toBe('ENGINE_TIMEOUT');
    const none = { ...process.env, DOCKER_HOST: `unix://${directory.path}/none.sock` };
    expect(await failure({ environment: none })).toMatchObject({
      code: 'ENGINE_UNREACHABLE',
      details: { endpoint: `unix://${directory.path}/none.sock` },
    });
  });

  it.each<[string, string, RegExp]>([
    [
      'B01: Podman under the name docker',
      JSON.stringify({ Client: { APIVersion: '4.3.1', Version: '4.3.1', OsArch: 'linux/amd64' } }),
      /Podman under another name/,
    ],
    [
      'B01: a docker command on a Podman server',
      JSON.stringify({ ...JSON.parse(HEALTHY), Server: { Os: 'linux', Components: [{ Name: 'Podman Engine' }] } }),
      /server is Podman/,
    ],
    ['Windows containers', HEALTHY.replace('"Os":"linux"', '"Os":"windows"'), /runs windows containers/],
    ['a command that is too old', HEALTHY.replace('28.2.2', '19.03.5'), /19\.03\.5; 20\.10 or newer/],
    ['another program of that name', 'finch 1.0 chat client', /does not report its version as Docker does/],
  ])('%s is refused with the reason', async (_, report, reason) => {
    const path = await pathWith({ docker: dockerStub(`echo 'Emulate Docker CLI using podman.' >&2; ${print(report)}`) });
    const error = await failure({ environment: { PATH: path } });
    expect(error.code).toBe('ENGINE_UNSUPPORTED');
    expect(error.message).toMatch(reason);
  });

  it.each(['podman', 'nerdctl', 'finch'])('names %s as an engine that this version cannot drive', async (name) => {
    const path = await pathWith({ [name]: 'exit 0' });
    const error = await failure({ environment: { PATH: path } });
    expect(error).toMatchObject({ code: 'ENGINE_UNSUPPORTED', details: { engine: name } });
    expect(error.message).toContain(`cannot drive ${name} yet`);
  });

  it('B02: tells why the first engine failed, not the last', async () => {
    const path = await pathWith({ docker: dockerStub(`${print(DOWN)}; exit 1`), podman: 'exit 0' });
    expect((await failure({ environment: { PATH: path } })).code).toBe('ENGINE_UNREACHABLE');
  });

  it('B02: an override is used or refused, never replaced', async () => {
    const path = await pathWith({ docker: dockerStub(print(HEALTHY)) });
    expect((await detectEngine({ environment: { PATH: path }, override: ' docker ' })).name).toBe('docker');
    expect((await detectEngine({ environment: { PATH: path }, override: ' ' })).name).toBe('docker');
    expect((await failure({ environment: { PATH: path }, override: 'podman' })).code).toBe('ENGINE_NOT_FOUND');
    const unknown = await failure({ environment: { PATH: path }, override: 'rkt' });
    expect(unknown).toMatchObject({ code: 'ENGINE_UNKNOWN', details: { override: 'rkt' } });
  });

  it('S03: neither the command nor its helpers are found inside the repository', async () => {
    const repoRoot = await pathWith({ docker: dockerStub(print(HEALTHY)) });
    const outside = await pathWith({ docker: dockerStub(print(HEALTHY)) });
    const engine = await detectEngine({ environment: { PATH: `${repoRoot}:.:${outside}` }, repoRoot });
    expect(engine.file).toBe(join(outside, 'docker'));
    expect(engine.environment['PATH']).toBe(outside);
  });

  it('reports a command that cannot be started', async () => {
    const path = await pathWith({ docker: '#!/nonexistent/interpreter\n' });
    expect((await failure({ environment: { PATH: path } })).code).toBe('ENGINE_NOT_SPAWNED');
  });
});
