import { EventEmitter } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatSessionFile, type SessionFile } from '@doompi-sandbox/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createSandboxExtension,
  DefaultSandboxExtensionService,
  type ExtensionApi,
  type ExtensionContext,
} from '../src/index.ts';

interface Fake {
  readonly api: ExtensionApi;
  readonly providers: Record<string, string | undefined>;
  readonly commands: Map<string, (context: ExtensionContext) => Promise<void>>;
  readonly started: ((context: ExtensionContext) => void)[];
}

/** Pi's interface as one copy of an extension sees it; copies of one session share the bus. */
const fake = (bus = new EventEmitter()): Fake => {
  const providers: Fake['providers'] = {};
  const commands: Fake['commands'] = new Map();
  const started: Fake['started'] = [];
  const api: ExtensionApi = {
    registerProvider: (id, { baseUrl }) => {
      providers[id] = baseUrl;
    },
    registerCommand: (name, { handler }) => commands.set(name, async (context) => handler('', context)),
    on: (_event, handler) => started.push((context) => handler({}, context)),
    events: { emit: (channel, data) => void bus.emit(channel, data), on: (channel, handler) => bus.on(channel, handler) },
  };
  return { api, providers, commands, started };
};

const session: SessionFile = {
  version: 1,
  sessionId: 's1',
  transports: [{ transport: 'tunnel', path: '/run/doompi-tunnel/launcher.sock' }],
  broker: {
    bridgePort: 8317,
    providers: [
      { id: 'anthropic', upstreamHost: 'api.anthropic.com' },
      { id: 'openai', upstreamHost: 'api.openai.com' },
    ],
  },
};

let sessionDirectory: string;
let printed: string[];

beforeEach(async () => {
  sessionDirectory = await mkdtemp(join(tmpdir(), 'extension-'));
  printed = [];
  await writeFile(join(sessionDirectory, 'session'), formatSessionFile(session));
});
afterEach(async () => rm(sessionDirectory, { recursive: true, force: true }));

const extension = (environment: Record<string, string>): ReturnType<typeof createSandboxExtension> =>
  createSandboxExtension({ environment, sessionDirectory, print: (line) => printed.push(line) });

describe('the extension', () => {
  it('redirects every brokered provider, with its own host in the address', async () => {
    const { api, providers } = fake();
    await extension({ DOOMPI_SANDBOX: '1' })(api);
    expect(providers).toEqual({
      anthropic: 'http://127.0.0.1:8317/anthropic/api.anthropic.com',
      openai: 'http://127.0.0.1:8317/openai/api.openai.com',
    });
  });

  it('a second copy in the session does nothing; one in another session of the process acts', async () => {
    const bus = new EventEmitter();
    const [first, second, other] = [fake(bus), fake(bus), fake()];
    for (const { api } of [first, second, other]) await extension({ DOOMPI_SANDBOX: '1' })(api);
    expect([first, second, other].map(({ commands }) => commands.size)).toEqual([1, 0, 1]);
    expect([first, second, other].map(({ providers }) => Object.keys(providers).length)).toEqual([2, 0, 2]);
  });

  it('shows a status only inside, and only where there is a user interface', async () => {
    const shown: unknown[] = [];
    const context = (hasUI: boolean): ExtensionContext => ({
      hasUI,
      ui: { notify: () => {}, setStatus: (...status) => shown.push(status) },
    });
    const [inside, outside] = [fake(), fake()];
    await extension({ DOOMPI_SANDBOX: '1' })(inside.api);
    await extension({})(outside.api);
    for (const start of [...inside.started, ...outside.started]) [true, false].forEach((hasUI) => start(context(hasUI)));
    expect(shown).toEqual([['doom-sandbox', 'sandbox: container']]);
  });

  it('asks the given service', async () => {
    const notices: unknown[] = [];
    const { api, commands } = fake();
    await extension({})(api, { service: { execute: async () => ({ message: 'mine', level: 'info' }) } });
    const ui = { notify: (...notice: unknown[]) => notices.push(notice), setStatus: () => {} };
    await commands.get('doom-sandbox')?.({ hasUI: true, ui });
    await commands.get('doom-sandbox')?.({ hasUI: false, ui });
    expect([notices, printed]).toEqual([[['mine', 'info']], ['mine']]);
  });
});

describe('DefaultSandboxExtensionService', () => {
  it('tells session, host and unclear apart', async () => {
    const message = async (environment: Record<string, string>, directory = sessionDirectory): Promise<string> => {
      const result = await new DefaultSandboxExtensionService(environment, directory).execute();
      expect(result.level).toBe('info');
      return result.message;
    };
    expect(await message({ DOOMPI_SANDBOX: '1' })).toContain(
      'Sandboxed session s1: the agent, its extensions and its tools run inside the container. Brokered providers: anthropic, openai;',
    );
    expect(await message({ DOOMPI_SANDBOX: '0' })).toContain('Host session');
    expect(await message({ DOOMPI_SANDBOX: '1' }, '/nonexistent')).toContain('Unclear');
    const { broker: _broker, ...unbrokered } = session;
    await writeFile(join(sessionDirectory, 'session'), formatSessionFile(unbrokered));
    expect(await message({ DOOMPI_SANDBOX: '1' })).toContain('No provider is brokered.');
  });
});
