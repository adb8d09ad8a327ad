import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anthropicThrough, world, type World } from './helpers/pi.ts';
import { fakeUpstream, type Upstream } from './helpers/upstream.ts';

const BROKERED = 'POST /anthropic/api.anthropic.com/v1/messages?beta=true';
const DIRECT = 'CONNECT api.anthropic.com:443';
const INSIDE = { DOOMPI_SANDBOX: '1' };
const NO_RETRY = { retry: { enabled: false } };

let pi: World;
let upstream: Upstream;

beforeEach(async () => {
  [pi, upstream] = await Promise.all([world(), fakeUpstream()]);
});
afterEach(async () => {
  await Promise.all([pi[Symbol.asyncDispose](), upstream[Symbol.asyncDispose]()]);
});

/** A direct call ends at the fake proxy, so that no test ever leaves this machine. */
const proxied = (): Record<string, string> => ({ HTTPS_PROXY: `http://127.0.0.1:${upstream.port}`, NO_PROXY: '127.0.0.1' });

describe('in a session with a broker, Pi 1.6', () => {
  beforeEach(async () => pi.session(anthropicThrough(upstream.port)));

  it.each([
    ['settings', () => ({ extensions: [pi.extension] }), () => []],
    ['-e', () => ({}), () => ['-e', pi.extension]],
    ['settings and -e, loaded once', () => ({ extensions: [pi.extension] }), () => ['-e', pi.extension]],
    ['-e under --no-extensions', () => ({ extensions: [pi.extension] }), () => ['--no-extensions', '-e', pi.extension]],
  ])('is redirected when loaded by %s', async (_name, settings, args) => {
    await pi.settings(settings());
    const { status, stdout, stderr } = await pi.pi({ args: [...args(), '-p', 'hello'], env: { ...INSIDE, ...proxied() } });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'fake answer\n', stderr: '' });
    expect(upstream.requests).toEqual([BROKERED]);
    expect(await pi.loads()).toBe(1);
  });

  it('--no-extensions keeps Pi from loading it from the settings', async () => {
    await pi.settings({ ...NO_RETRY, extensions: [pi.extension] });
    await pi.pi({ args: ['--no-extensions', '-p', 'hello'], env: { ...INSIDE, ...proxied() } });
    expect(upstream.requests).toEqual([DIRECT]);
    expect(await pi.loads()).toBe(0);
  });

  it('two copies of it act once', async () => {
    await pi.settings({ extensions: [pi.extension] });
    const { stdout } = await pi.pi({
      args: ['-e', pi.copy, '--mode', 'rpc'],
      env: { ...INSIDE, ...proxied() },
      rpc: [{ send: { type: 'get_commands' }, until: '"get_commands"' }],
    });
    expect(await pi.loads()).toBe(2);
    expect(stdout.match(/"name":"doom-sandbox[^"]*"/g)).toEqual(['"name":"doom-sandbox"']);
    expect(stdout.match(/"statusText":"sandbox: container"/g)).toHaveLength(1);
  });

  it('is still redirected after a reload and in a new session', async () => {
    const again = join(pi.directory, 'again.mjs');
    await writeFile(
      again,
      `export default (pi) => pi.registerCommand('again', { handler: async (_args, ctx) => ctx.reload() });`,
    );
    await pi.settings({ ...NO_RETRY, extensions: [pi.extension, again] });
    const ask = { send: { type: 'prompt', message: 'hello' }, until: '"agent_end"' };
    const { stdout } = await pi.pi({
      args: ['-e', pi.copy, '--mode', 'rpc'],
      env: { ...INSIDE, ...proxied() },
      rpc: [
        { send: { type: 'prompt', message: '/again' }, until: '"handled"' },
        ask,
        { send: { type: 'new_session' }, until: '"new_session"' },
        ask,
        { send: { type: 'get_commands' }, until: '"get_commands"' },
      ],
    });
    expect(upstream.requests).toEqual([BROKERED, BROKERED]);
    expect(await pi.loads()).toBe(6);
    expect(stdout.match(/"name":"doom-sandbox[^"]*"/g)).toEqual(['"name":"doom-sandbox"']);
  });

  it('/doom-sandbox answers on stderr in print mode', async () => {
    const { status, stdout, stderr } = await pi.pi({ args: ['-e', pi.extension, '-p', '/doom-sandbox'], env: INSIDE });
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: '',
      stderr:
        'Sandboxed session session-1: the agent, its extensions and its tools run inside the container. ' +
        'Brokered providers: anthropic; their keys stay on the host.\n',
    });
    expect(upstream.requests).toEqual([]);
  });

  it('/doom-sandbox notifies where there is a user interface', async () => {
    const { stdout, stderr } = await pi.pi({
      args: ['-e', pi.extension, '--mode', 'rpc'],
      env: INSIDE,
      rpc: [{ send: { type: 'prompt', message: '/doom-sandbox' }, until: '"handled"' }],
    });
    expect(stdout).toMatch(/"method":"notify","message":"Sandboxed session session-1: [^"]*","notifyType":"info"/);
    expect(stderr).toBe('');
  });
});

describe('outside a session, Pi 1.6', () => {
  const forged = (port: number): Record<string, string> => ({
    DOOMPI_BROKER_PROVIDERS: 'anthropic',
    DOOMPI_BROKER_SOCKET: '/run/doompi/broker.sock',
    DOOMPI_BROKER_PORT: String(port),
    DOOMPI_BROKER_ADDRESS: `127.0.0.1:${port}`,
  });

  it.each([
    ['nothing', false, {}],
    ['a session file without the marker', true, {}],
    ['the marker without a session file', false, { DOOMPI_SANDBOX: '1' }],
    ['a marker that is not exactly 1', true, { DOOMPI_SANDBOX: 'true' }],
  ])('%s redirects nothing, whatever the broker variables say', async (_name, file, marker) => {
    if (file) await pi.session(anthropicThrough(upstream.port));
    await pi.settings({ ...NO_RETRY, extensions: [pi.extension] });
    const env = { ...proxied(), ...forged(upstream.port), ...marker };
    const { status } = await pi.pi({ args: ['-p', 'hello'], env });
    expect(status).toBe(1);
    expect(upstream.requests).toEqual([DIRECT]);
    expect(await pi.loads()).toBe(1);
  });

  it('a session file that cannot be read redirects nothing and is reported', async () => {
    await writeFile(join(pi.sessionDirectory, 'session'), '{"version":2}');
    const { stderr } = await pi.pi({ args: ['-e', pi.extension, '-p', '/doom-sandbox'], env: INSIDE });
    expect(stderr).toContain('Unclear: DOOMPI_SANDBOX=1 is set, but');
    expect(stderr).toContain('version 2 is not known');
  });

  it('/doom-sandbox says so', async () => {
    const { stderr } = await pi.pi({ args: ['-e', pi.extension, '-p', '/doom-sandbox'] });
    expect(stderr).toMatch(/^Host session: .*Relaunch with doompi-sandbox/);
  });
});

it('a brokered session leaves nothing in the home that redirects the next', async () => {
  const settings = { ...NO_RETRY, extensions: [pi.extension] };
  await pi.settings(settings);
  await pi.session(anthropicThrough(upstream.port));
  expect((await pi.pi({ args: ['-p', 'hello'], env: { ...INSIDE, ...proxied() } })).stdout).toBe('fake answer\n');

  await pi.session();
  await pi.pi({ args: ['-p', 'hello'], env: { ...INSIDE, ...proxied() } });
  expect(upstream.requests).toEqual([BROKERED, DIRECT]);

  expect(JSON.parse(await readFile(join(pi.agentDirectory, 'settings.json'), 'utf8'))).toMatchObject(settings);
  expect(await readdir(pi.agentDirectory)).not.toContain('models.json');
  for (const entry of await readdir(pi.agentDirectory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
    expect(text, entry.name).not.toContain('/anthropic/api.anthropic.com');
    expect(text, entry.name).not.toContain('sk-token');
  }
});
