import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { runProgram, temporaryDirectory } from '@doompi-sandbox/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { detectEngine, findProgram } from '../../src/index.ts';
import { DOCKER, DOCKER_DOWN, failure, PODMAN, print, printing, silent, stubs, versionStub } from '../helpers/detection.ts';
import { engineApi } from '../helpers/engine-api.ts';
import { engineSkip, podmanSkip, realPodman } from '../helpers/engine.ts';

const directory = async (): Promise<string> => {
  const { path, dispose } = await temporaryDirectory();
  onTestFinished(() => dispose());
  return path;
};

const NOTICE = 'Emulate Docker CLI using podman. Create /etc/containers/nodocker to quiet msg.';

describe('a docker command', () => {
  it('reports its facts, and keeps what the client reads of the environment', async () => {
    const api = await engineApi();
    const { path } = await stubs({ docker: printing(DOCKER) });
    const kept = { HOME: '/h', HTTPS_PROXY: 'p', XDG_RUNTIME_DIR: '/x', CONTAINERS_CONF: '/c' };
    const environment = { ...kept, PATH: path, DOCKER_HOST: api.path, OPENAI_API_KEY: 'k', DISPLAY: ':0', DOCKER_CONTEXT: 'old' };
    expect(await detectEngine({ environment, kernelRelease: '6.1' })).toEqual({
      name: 'docker',
      file: join(path, 'docker'),
      clientVersion: '28.2.2',
      serverVersion: '20.10.24',
      apiVersion: '1.41',
      platform: { os: 'linux', architecture: 'amd64' },
      rootless: false,
      usernsRemap: false,
      location: 'native',
      endpoint: { transport: 'unix', path: api.path },
      endpointSource: 'DOCKER_HOST',
      selinux: false,
      environment: { ...kept, PATH: path, DOCKER_HOST: `unix://${api.path}` },
    });
  });

  it('is asked one question when all is well, beside one request for the facts', async () => {
    const api = await engineApi();
    const programs = await stubs({ docker: versionStub(`echo '${NOTICE}' >&2; ${print(JSON.stringify(DOCKER))}`) });
    await detectEngine({ environment: { PATH: programs.path, DOCKER_HOST: api.path } });
    expect(await programs.calls('docker')).toEqual([['version', '--format', '{{json .}}']]);
    expect(api.asked).toEqual(['/info']);
  });

  it.each<[string, Record<string, unknown>, object, Record<string, unknown>]>([
    ['rootless', { SecurityOptions: ['name=seccomp,profile=default', 'name=rootless'] }, {}, { rootless: true }],
    ['rootless by its components', {}, { Components: [{ Name: 'Engine' }, { Name: 'rootlesskit' }] }, { rootless: true }],
    ['userns-remap', { SecurityOptions: ['name=userns'] }, {}, { usernsRemap: true, rootless: false }],
    ['Docker Desktop', { OperatingSystem: 'Docker Desktop' }, {}, { location: 'vm' }],
    ['another kernel', {}, { KernelVersion: '6.6.12-linuxkit' }, { location: 'vm' }],
    ['this kernel', {}, {}, { location: 'native' }],
  ])('knows %s', async (_, information, server, expected) => {
    const api = await engineApi(information);
    const { path } = await stubs({ docker: printing({ ...DOCKER, Server: { ...DOCKER['Server'], ...server } }) });
    const environment = { PATH: path, DOCKER_HOST: api.path };
    expect(await detectEngine({ environment, kernelRelease: '6.1' })).toMatchObject(expected);
  });

  it('over TLS the facts come through the command, and nothing says that files are shared', async () => {
    const info = { ID: 'x', SecurityOptions: ['name=rootless'] };
    const script = `case "$1" in version) ${print(JSON.stringify(DOCKER))} ;; info) ${print(JSON.stringify(info))} ;; esac`;
    const { path } = await stubs({ docker: script });
    const environment = { PATH: path, DOCKER_HOST: 'tcp://127.0.0.1:1', DOCKER_TLS_VERIFY: '1' };
    expect(await detectEngine({ environment, kernelRelease: '6.1' })).toMatchObject({ rootless: true, location: 'remote' });
  });

  it('facts that the server refuses to tell are no facts', async () => {
    const api = await engineApi({}, (_, response) => response.writeHead(403).end('forbidden'));
    const { path } = await stubs({ docker: printing(DOCKER) });
    const error = await failure({ environment: { PATH: path, DOCKER_HOST: api.path } });
    expect(error).toMatchObject({ code: 'ENGINE_UNREACHABLE', cause: { message: 'it answers GET /info with status 403' } });
  });

  it('B02: its own words are kept when its server is down', async () => {
    const { path } = await stubs({
      docker: versionStub(`echo ' cannot connect ' >&2; ${print(JSON.stringify(DOCKER_DOWN))}; exit 1`),
    });
    const api = await engineApi();
    const error = await failure({ environment: { PATH: path, DOCKER_HOST: api.path } });
    expect(error).toMatchObject({
      code: 'ENGINE_UNREACHABLE',
      details: { endpoint: `unix://${api.path}`, stderr: 'cannot connect' },
    });
  });

  it('B02: a password in an address is told nowhere', async () => {
    const { path } = await stubs({ docker: versionStub('exit 1') });
    for (const DOCKER_HOST of ['tcp://me:password@far:1', 'ssh://me:password@far']) {
      const error = await failure({ environment: { PATH: path, DOCKER_HOST } });
      expect(JSON.stringify([error.message, error.details, String(error.cause)])).not.toContain('password@');
    }
  });

  it.each<[string, string, RegExp]>([
    [
      'B01: a docker command on a Podman server',
      JSON.stringify({ ...DOCKER, Server: { Os: 'linux', Components: [{ Name: 'Podman Engine' }] } }),
      /server is Podman: use the podman command/,
    ],
    ['Windows containers', JSON.stringify(DOCKER).replace('"Os":"linux"', '"Os":"windows"'), /runs windows containers/],
    ['a command that is too old', JSON.stringify(DOCKER).replace('28.2.2', '19.03.5'), /19\.03\.5; 20\.10 or newer/],
    ['a command that is a little too old', JSON.stringify(DOCKER).replace('28.2.2', '20.9.1'), /20\.9\.1; 20\.10 or newer/],
    ['a server that is too old', JSON.stringify(DOCKER).replace('20.10.24', '19.03.5'), /server is version 19\.03\.5/],
    ['another program of that name', 'dockapps 1.0', /does not report its version as Docker does/],
  ])('%s is refused with the reason', async (_, report, reason) => {
    const api = await engineApi();
    const { path } = await stubs({ docker: versionStub(`echo '${NOTICE}' >&2; ${print(report)}`) });
    const error = await failure({ environment: { PATH: path, DOCKER_HOST: api.path } });
    expect(error.code).toBe('ENGINE_UNSUPPORTED');
    expect(error.message).toMatch(reason);
  });

  it('B01: a --version that fails and words around the answer do not abort detection', async () => {
    const api = await engineApi();
    const script = `case "$1" in version) echo "Welcome!"; ${print(JSON.stringify(DOCKER))}; echo bye ;; *) exit 1 ;; esac`;
    const { path } = await stubs({ docker: script });
    expect((await detectEngine({ environment: { PATH: path, DOCKER_HOST: api.path } })).clientVersion).toBe('28.2.2');
  });
});

describe('the real cause', () => {
  const causeOf = async (DOCKER_HOST: string, timeoutMs?: number): Promise<unknown> => {
    const { path } = await stubs({ docker: versionStub(`${print(JSON.stringify(DOCKER_DOWN))}; exit 1`) });
    return (await failure({ environment: { PATH: path, DOCKER_HOST }, timeoutMs })).message;
  };

  it('B02: no such socket, nobody listens, nobody there', async () => {
    const path = await directory();
    const left = createServer().listen(join(path, 'left.sock'));
    await once(left, 'listening');
    await runProgram('cp', ['-a', join(path, 'left.sock'), join(path, 'dead.sock')]);
    left.close();
    expect(await causeOf(join(path, 'none.sock'))).toMatch(/there is no such socket/);
    expect(await causeOf(join(path, 'dead.sock'))).toMatch(/connection refused, so no server runs there/);
    expect(await causeOf('tcp://127.0.0.1:1')).toMatch(/tcp:\/\/127\.0\.0\.1:1 \(from DOCKER_HOST\).*connection refused/);
  });

  it('B02: a socket that accepts and never answers is decided at the deadline', async () => {
    const path = join(await directory(), 'silent.sock');
    const server = createServer(() => undefined).listen(path);
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const started = performance.now();
    const { path: PATH } = await stubs({ docker: silent });
    const error = await failure({ environment: { PATH, DOCKER_HOST: path }, timeoutMs: 400 });
    expect(performance.now() - started).toBeLessThan(4000);
    expect(error).toMatchObject({ code: 'ENGINE_UNREACHABLE', details: { reason: 'no-answer', endpoint: `unix://${path}` } });
    expect(error.message).toContain(`unix://${path}`);
  });

  it('B02: permission denied names the group', async () => {
    const path = join(await directory(), 'docker.sock');
    const server = createServer(() => undefined).listen(path);
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    await chmod(path, 0o000);
    await chmod(dirname(path), 0o755);
    // Root passes every permission, so for the time of the question it is somebody else.
    const isRoot = process.geteuid?.() === 0;
    const { path: PATH } = await stubs({ docker: '#!/bin/sh\nexit 1\n' });
    await chmod(PATH, 0o755);
    if (isRoot) process.seteuid?.(65_534);
    const error = await failure({ environment: { PATH, DOCKER_HOST: path } }).finally(() => isRoot && process.seteuid?.(0));
    expect(error).toMatchObject({ code: 'ENGINE_UNREACHABLE', details: { reason: 'permission-denied' } });
    expect(error.message).toMatch(/permission denied\. Add yourself to the group docker/);
  });

  it.skipIf(engineSkip !== undefined)('B02: the real command, where nobody listens and where nobody answers', async () => {
    const path = await directory();
    const server = createServer(() => undefined).listen(join(path, 'silent.sock'));
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const hosts = ['silent', 'none'].map((name) => `unix://${path}/${name}.sock`);
    const reasons = await Promise.all(
      hosts.map(async (DOCKER_HOST) => {
        const environment = { ...process.env, DOCKER_HOST };
        return (await failure({ environment, override: 'docker', timeoutMs: 1500 })).details;
      }),
    );
    expect(reasons).toMatchObject([
      { endpoint: hosts[0], reason: 'no-answer' },
      { endpoint: hosts[1], reason: 'no-socket' },
    ]);
  });
});

describe('Podman under the name docker', () => {
  it('B01: is podman, by its file; its notice is no version', async () => {
    const { path } = await stubs({ docker: versionStub(`echo '${NOTICE}' >&2; ${print(JSON.stringify(PODMAN))}`) });
    const environment = { PATH: path, DOCKER_HOST: 'unix:///none.sock' };
    const engine = await detectEngine({ environment, uid: 1000 });
    expect(engine).toMatchObject({ name: 'podman', file: join(path, 'docker'), clientVersion: '4.3.1', rootless: true });
    expect(JSON.stringify(engine)).not.toContain('Emulate');
    expect((await detectEngine({ environment, override: 'docker' })).name).toBe('podman');
    expect((await failure({ environment, endpoint: '/d.sock' })).message).toMatch(/Podman under another name/);
    expect((await detectEngine({ environment: { PATH: path, DOCKER_HOST: 'npipe://x' } })).name).toBe('podman');
  });

  describe.skipIf(podmanSkip !== undefined)('for real', () => {
    const real = (): string => findProgram('podman', { path: process.env['PATH'] }) ?? '';

    it.each(['script', 'link'])('B01: a %s', async (kind) => {
      const path = await directory();
      await mkdir(join(path, 'bin'));
      const docker = join(path, 'bin/docker');
      if (kind === 'link') await symlink(real(), docker);
      else await writeFile(docker, `#!/bin/sh\necho '${NOTICE}' >&2\nexec podman "$@"\n`, { mode: 0o755 });
      const environment = { ...process.env, PATH: `${path}/bin:${process.env['PATH']}` };
      const engine = await detectEngine({ environment });
      const { clientVersion, rootless } = await realPodman();
      expect(engine).toMatchObject({ name: 'podman', file: docker, clientVersion, rootless });
    });
  });
});
