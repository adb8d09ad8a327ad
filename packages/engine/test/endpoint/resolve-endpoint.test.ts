import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { temporaryDirectory } from '@doompi-sandbox/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { capture, detectEngine, resolveEndpoint } from '../../src/index.ts';
import { engineSkip } from '../helpers/engine.ts';

const directory = async (): Promise<string> => {
  const { path, dispose } = await temporaryDirectory();
  onTestFinished(() => dispose());
  return path;
};

/** A configuration directory of docker with these contexts, the current one first. */
const dockerConfig = async (contexts: Readonly<Record<string, string>>, tls: readonly string[] = []): Promise<string> => {
  const path = await directory();
  await writeFile(join(path, 'config.json'), JSON.stringify({ currentContext: Object.keys(contexts)[0] ?? '' }));
  for (const [name, host] of Object.entries(contexts)) {
    const id = createHash('sha256').update(name).digest('hex');
    await mkdir(join(path, 'contexts/meta', id), { recursive: true });
    const meta = { Name: name, Metadata: {}, Endpoints: { docker: { Host: host, SkipTLSVerify: false } } };
    await writeFile(join(path, 'contexts/meta', id, 'meta.json'), JSON.stringify(meta));
    if (tls.includes(name)) await mkdir(join(path, 'contexts/tls', id, 'docker'), { recursive: true });
  }
  return path;
};

const listening = async (name = 'docker.sock'): Promise<string> => {
  const path = await directory();
  const server = createServer().listen(join(path, name));
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return path;
};

describe('resolveEndpoint', () => {
  it('B03: each source gives way to the one before it', async () => {
    const runtime = await listening();
    const DOCKER_CONFIG = await dockerConfig({ current: 'unix:///current.sock', other: 'unix:///other.sock' });
    const none = await dockerConfig({});
    const all = { DOCKER_HOST: 'unix:///host.sock', DOCKER_CONTEXT: 'other', DOCKER_CONFIG, XDG_RUNTIME_DIR: runtime };
    const chosen = async (environment: Record<string, string>, endpoint?: string): Promise<string[]> => {
      const { endpoint: found, source } = await resolveEndpoint({ environment, endpoint });
      return [source, found.transport === 'unix' ? found.path : ''];
    };
    expect(await chosen(all, '/option.sock')).toEqual(['option', '/option.sock']);
    expect(await chosen(all)).toEqual(['DOCKER_HOST', '/host.sock']);
    expect(await chosen({ ...all, DOCKER_HOST: ' ' })).toEqual(['DOCKER_CONTEXT', '/other.sock']);
    expect(await chosen({ DOCKER_CONFIG, XDG_RUNTIME_DIR: runtime })).toEqual(['context', '/current.sock']);
    expect(await chosen({ DOCKER_CONFIG: none, XDG_RUNTIME_DIR: runtime })).toEqual([
      'rootless-socket',
      `${runtime}/docker.sock`,
    ]);
    expect(await chosen({ DOCKER_CONFIG: none })).toEqual(['default', '/var/run/docker.sock']);
    expect(await chosen({ DOCKER_CONFIG, DOCKER_CONTEXT: 'default', XDG_RUNTIME_DIR: runtime })).toEqual([
      'rootless-socket',
      `${runtime}/docker.sock`,
    ]);
  });

  it('B03: the configuration is below HOME when nothing else names it', async () => {
    const home = await directory();
    const config = await dockerConfig({ mine: 'ssh://me@far' });
    await mkdir(join(home, '.docker'), { recursive: true });
    const id = createHash('sha256').update('mine').digest('hex');
    await mkdir(join(home, '.docker/contexts/meta', id), { recursive: true });
    await writeFile(join(home, '.docker/config.json'), '{"currentContext":"mine"}');
    const meta = JSON.stringify({ Name: 'mine', Endpoints: { docker: { Host: 'ssh://me@far' } } });
    await writeFile(join(home, '.docker/contexts/meta', id, 'meta.json'), meta);
    const expected = { endpoint: { transport: 'ssh', host: 'far', user: 'me' }, source: 'context', context: 'mine' };
    expect(await resolveEndpoint({ environment: { HOME: home } })).toMatchObject(expected);
    expect(await resolveEndpoint({ environment: { HOME: '/nonexistent', DOCKER_CONFIG: config } })).toMatchObject(expected);
  });

  it("B03: what is chosen reaches docker's command, a context by its name because of its certificates", async () => {
    const DOCKER_CONFIG = await dockerConfig({ secure: 'tcp://far:2376' }, ['secure']);
    const patch = async (environment: Record<string, string>, endpoint?: string): Promise<unknown> =>
      (await resolveEndpoint({ environment, endpoint })).environment;
    expect(await patch({ DOCKER_CONTEXT: 'x' }, '/a.sock')).toEqual({ DOCKER_HOST: 'unix:///a.sock', DOCKER_CONTEXT: undefined });
    expect(await patch({ DOCKER_HOST: '/bare.sock' })).toEqual({ DOCKER_HOST: 'unix:///bare.sock', DOCKER_CONTEXT: undefined });
    expect(await patch({ DOCKER_CONFIG })).toEqual({ DOCKER_HOST: undefined, DOCKER_CONTEXT: 'secure' });
    expect((await resolveEndpoint({ environment: { DOCKER_CONFIG } })).endpoint).toMatchObject({ transport: 'tcp', tls: true });
    expect(await patch({})).toEqual({ DOCKER_HOST: undefined, DOCKER_CONTEXT: 'default' });
  });

  it('B03: a socket file where nobody listens is no rootless engine', async () => {
    const runtime = await directory();
    await writeFile(join(runtime, 'docker.sock'), '');
    expect((await resolveEndpoint({ environment: { XDG_RUNTIME_DIR: runtime } })).source).toBe('default');
    expect((await resolveEndpoint({ environment: { XDG_RUNTIME_DIR: 'relative' } })).source).toBe('default');
  });

  it('takes TLS from the environment for tcp', async () => {
    const environment = { DOCKER_HOST: 'tcp://far', DOCKER_TLS_VERIFY: '1' };
    expect((await resolveEndpoint({ environment })).endpoint).toEqual({ transport: 'tcp', host: 'far', port: 2376, tls: true });
  });

  it('refuses a context that is not there, and one whose endpoint cannot be read', async () => {
    const DOCKER_CONFIG = await dockerConfig({ odd: 'npipe:////./pipe/docker' });
    await expect(resolveEndpoint({ environment: { DOCKER_CONFIG, DOCKER_CONTEXT: 'gone' } })).rejects.toMatchObject({
      code: 'ENGINE_ENDPOINT_INVALID',
      details: { source: 'DOCKER_CONTEXT' },
    });
    await expect(resolveEndpoint({ environment: { DOCKER_CONFIG } })).rejects.toThrow(/docker context odd.*npipe/);
  });
});

/** A second way to the real server that counts its connections. */
const forwarder = async (): Promise<{ path: string; connections: () => number }> => {
  const path = join(await directory(), 'alt.sock');
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect('/var/run/docker.sock');
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.pipe(upstream).pipe(client);
  }).listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { path, connections: () => connections };
};

describe.skipIf(engineSkip !== undefined)('on real docker', () => {
  it('B03: the command and our own request both go to the current context', async () => {
    const alt = await forwarder();
    const DOCKER_CONFIG = await dockerConfig({ alt: `unix://${alt.path}` });
    const environment = { PATH: process.env['PATH'], HOME: '/nonexistent', DOCKER_CONFIG };
    const engine = await detectEngine({ environment, override: 'docker' });
    expect(engine).toMatchObject({ endpoint: { transport: 'unix', path: alt.path }, endpointSource: 'context' });
    const detected = alt.connections();
    // One of the command and one of ours at least; a command on the default socket would not be seen here.
    expect(detected).toBeGreaterThanOrEqual(2);
    await capture(engine, ['container', 'ls', '--quiet']);
    expect(alt.connections()).toBeGreaterThan(detected);
  });

  it('B04: a bare path, which the command does not take, reaches the server', async () => {
    const alt = await forwarder();
    const environment = { PATH: process.env['PATH'], DOCKER_HOST: alt.path };
    const engine = await detectEngine({ environment, override: 'docker' });
    expect(engine).toMatchObject({ endpointSource: 'DOCKER_HOST', environment: { DOCKER_HOST: `unix://${alt.path}` } });
  });
});
