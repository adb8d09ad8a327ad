import { join } from 'node:path';
import { waitFor } from '@doompi-sandbox/testkit';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { detectEngine, type EngineFinding, pickEngine, surveyEngines } from '../../src/index.ts';
import {
  DOCKER,
  DOCKER_DOWN,
  failure,
  FINCH,
  NERDCTL,
  PODMAN,
  print,
  printing,
  silent,
  stubs,
  versionStub,
} from '../helpers/detection.ts';
import { engineApi } from '../helpers/engine-api.ts';

const ids = (pids: string): number[] => pids.split('\n').filter(Boolean).map(Number);

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Writes its process id, then says nothing. */
const recorded = 'echo $$ >>"$0.pid"; exec /bin/sleep 60';

describe('detectEngine', () => {
  it('B02: prefers docker, podman, nerdctl, finch in this order', async () => {
    const { path: socket } = await engineApi();
    const all = { docker: printing(DOCKER), podman: printing(PODMAN), nerdctl: printing(NERDCTL), finch: printing(FINCH) };
    const names: string[] = [];
    for (const missing of [[], ['docker'], ['docker', 'podman'], ['docker', 'podman', 'nerdctl']]) {
      const { path } = await stubs(Object.fromEntries(Object.entries(all).filter(([name]) => !missing.includes(name))));
      const engine = await detectEngine({ environment: { PATH: path, DOCKER_HOST: socket }, uid: 0 });
      names.push(`${engine.name} ${engine.clientVersion} ${engine.serverVersion}`);
    }
    expect(names).toEqual(['docker 28.2.2 20.10.24', 'podman 4.3.1 4.3.1', 'nerdctl 2.0.2 2.0.1', 'finch 1.4.0 1.7.22']);
  });

  it('B02: a dead docker does not hide a live podman, and is told with the reason', async () => {
    const { path } = await stubs({
      docker: versionStub(`${print(JSON.stringify(DOCKER_DOWN))}; exit 1`),
      podman: printing(PODMAN),
    });
    const skipped: EngineFinding[] = [];
    const environment = { PATH: path, DOCKER_HOST: 'unix:///tmp/none.sock' };
    const engine = await detectEngine({ environment, onSkipped: (finding) => skipped.push(finding) });
    expect(engine).toMatchObject({ name: 'podman', file: join(path, 'podman') });
    expect(skipped).toMatchObject([
      { candidate: 'docker', error: { details: { reason: 'no-socket', endpoint: 'unix:///tmp/none.sock' } } },
    ]);
  });

  it('B02: a docker that never answers gives way at the deadline, which all questions share', async () => {
    const { path } = await stubs({ docker: silent, podman: silent, nerdctl: printing(NERDCTL), finch: silent });
    const started = performance.now();
    const engine = await detectEngine({ environment: { PATH: path, DOCKER_HOST: '/nonexistent.sock' }, timeoutMs: 600 });
    expect(engine.name).toBe('nerdctl');
    expect(performance.now() - started).toBeLessThan(2500);
  });

  it('B02: the first in order that works is taken while later ones still think, and those are ended', async () => {
    const { path: socket } = await engineApi();
    const both = 'until [ -e "${0%/*}/podman.pid" ] && [ -e "${0%/*}/finch.pid" ]; do /bin/sleep 0.05; done';
    const docker = versionStub(`${both}; ${print(JSON.stringify(DOCKER))}`);
    const { path, directory } = await stubs({ docker, podman: recorded, finch: recorded });
    const started = performance.now();
    const environment = { PATH: path, DOCKER_HOST: socket };
    const engine = await detectEngine({ environment, timeoutMs: 30_000 });
    expect(engine.name).toBe('docker');
    expect(performance.now() - started).toBeLessThan(10_000);
    const files = ['podman', 'finch'].map((name) => join(directory, `${name}.pid`));
    const losers = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).flatMap(ids);
    expect(losers).toHaveLength(2);
    await waitFor(() => (losers.some(isAlive) ? undefined : true), { what: 'the end of the losers' });
  });

  it('B02: an override is used or refused, never replaced', async () => {
    const { path: socket } = await engineApi();
    const { path } = await stubs({ docker: printing(DOCKER), podman: printing(PODMAN) });
    const environment = { PATH: path, DOCKER_HOST: socket };
    expect((await detectEngine({ environment, override: ' podman ' })).name).toBe('podman');
    expect((await detectEngine({ environment, override: ' ' })).name).toBe('docker');
    expect((await failure({ environment, override: 'nerdctl' })).code).toBe('ENGINE_NOT_FOUND');
    expect(await failure({ environment, override: 'rkt' })).toMatchObject({
      code: 'ENGINE_UNKNOWN',
      details: { override: 'rkt' },
    });
    const down = { ...environment, DOCKER_HOST: 'unix:///tmp/none.sock' };
    const error = await failure({ environment: down, override: 'docker' });
    expect(error.code).toBe('ENGINE_UNREACHABLE');
    expect(error.message).toContain('unix:///tmp/none.sock');
  });

  it('B02: an explicit endpoint that does not answer is an error that names it; DOCKER_HOST alone is none', async () => {
    const { path: socket } = await engineApi();
    const { path } = await stubs({
      docker: versionStub(`echo "$DOCKER_HOST" >"$0.host"; ${print(JSON.stringify(DOCKER))}`),
      podman: printing(PODMAN),
    });
    const environment = { PATH: path, DOCKER_HOST: 'tcp://elsewhere:1' };
    const engine = await detectEngine({ environment, endpoint: socket });
    expect(engine).toMatchObject({ name: 'docker', endpointSource: 'option', endpoint: { transport: 'unix', path: socket } });
    expect(await readFile(join(path, 'docker.host'), 'utf8')).toBe(`unix://${socket}\n`);
    const error = await failure({ environment, endpoint: 'unix:///tmp/none.sock' });
    expect(error.code).toBe('ENGINE_UNREACHABLE');
    expect(error.message).toContain('unix:///tmp/none.sock');
    expect((await failure({ environment, endpoint: 'nowhere' })).code).toBe('ENGINE_ENDPOINT_INVALID');
    expect((await failure({ environment, endpoint: socket, override: 'podman' })).code).toBe('ENGINE_UNSUPPORTED');
    expect((await detectEngine({ environment: { PATH: path, DOCKER_HOST: 'unix:///tmp/none.sock' } })).name).toBe('podman');
  });

  it('B02: tells why the first engine failed, not the last', async () => {
    const { path } = await stubs({ docker: versionStub('exit 1'), podman: 'exit 3' });
    expect((await failure({ environment: { PATH: path, DOCKER_HOST: '/none.sock' } })).details).toMatchObject({
      engine: 'docker',
    });
  });

  it('says what to install when there is nothing', async () => {
    const error = await failure({ environment: { PATH: '/nonexistent' } });
    expect(error.code).toBe('ENGINE_NOT_FOUND');
    expect(error.message).toMatch(/docker, podman, nerdctl, finch.*apt-get install docker\.io/);
  });

  it("is rejected with the caller's own reason, and ends its questions", async () => {
    const { path, directory } = await stubs({ docker: recorded });
    const controller = new AbortController();
    const reason = new Error('enough');
    const environment = { PATH: path, DOCKER_HOST: '/none.sock' };
    const detecting = detectEngine({ environment, signal: controller.signal, timeoutMs: 30_000 });
    const pid = await waitFor(async () => ids(await readFile(join(directory, 'docker.pid'), 'utf8').catch(() => ''))[0]);
    controller.abort(reason);
    await expect(detecting).rejects.toBe(reason);
    await waitFor(() => (isAlive(pid) ? undefined : true), { what: 'the end of docker' });
  });

  it('S03: neither the command nor its helpers are found inside the repository', async () => {
    const { path: socket } = await engineApi();
    const { path: repoRoot } = await stubs({ docker: printing(DOCKER) });
    const { path: outside } = await stubs({ docker: printing(DOCKER) });
    const environment = { PATH: `${repoRoot}:.:${outside}`, DOCKER_HOST: socket };
    const engine = await detectEngine({ environment, repoRoot });
    expect(engine.file).toBe(join(outside, 'docker'));
    expect(engine.environment['PATH']).toBe(outside);
  });

  it('reports a command that cannot be started', async () => {
    const { path } = await stubs({ docker: '#!/nonexistent/interpreter\n' });
    expect((await failure({ environment: { PATH: path, DOCKER_HOST: '/none.sock' } })).code).toBe('ENGINE_NOT_SPAWNED');
  });
});

describe('surveyEngines', () => {
  it('B02: tells of every candidate, in order, with what would be taken', async () => {
    const { path: socket } = await engineApi();
    const { path } = await stubs({ docker: printing(DOCKER), podman: silent, finch: print('finch 2.14') });
    const environment = { PATH: path, DOCKER_HOST: socket };
    const findings = await surveyEngines({ environment, timeoutMs: 500 });
    expect(findings).toMatchObject([
      { candidate: 'docker', outcome: 'working', file: join(path, 'docker'), engine: { name: 'docker' } },
      { candidate: 'podman', outcome: 'unusable', error: { code: 'ENGINE_UNREACHABLE', details: { reason: 'no-answer' } } },
      { candidate: 'nerdctl', outcome: 'absent' },
      { candidate: 'finch', outcome: 'unusable', error: { code: 'ENGINE_UNSUPPORTED' } },
    ]);
    expect(pickEngine(findings).name).toBe('docker');
    expect(() => pickEngine(findings, { override: 'podman' })).toThrow(/no answer/);
    expect(() => pickEngine(findings, { override: 'nerdctl' })).toThrow(/No container engine/);
  });
});
