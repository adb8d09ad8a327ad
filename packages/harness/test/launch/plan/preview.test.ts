import { findCredentials, PI_ROUTES } from '@doompi-sandbox/broker';
import { AGENTS, type ImageDefinition } from '@doompi-sandbox/image';
import { assert, constantFrom, oneof, property, stringMatching, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowedVariable } from '../../../src/launch/plan/environment.ts';
import { brokerable } from '../../../src/launch/facts/facts.ts';
import { planLaunch } from '../../../src/launch/plan/plan.ts';
import { previewOf, type LaunchPreview } from '../../../src/launch/plan/preview.ts';
import { parseSettings, type LauncherOptions } from '../../../src/launch/settings/settings.ts';
import { engineOf } from '../../helpers/engine.ts';
import { factsOf, VOLUMES } from '../../helpers/facts.ts';

const definition: ImageDefinition = {
  agent: AGENTS.pi,
  agentVersion: '1.6.0',
  baseImage: 'node:24',
  containerfile: '',
  files: [],
  labels: {},
  digest: '',
  reference: 'doompi-sandbox:v1-1',
};

const preview = (
  environment: Record<string, string> = {},
  options: LauncherOptions = {},
  args: readonly string[] = [],
): LaunchPreview => {
  const settings = parseSettings(options, environment);
  const facts = factsOf({
    host: { ...factsOf().host, stdoutIsTerminal: false },
    engine: engineOf({ environment }),
    credentials: brokerable({ settings, environment }),
    credentialVariables: new Set(PI_ROUTES.flatMap(({ variables }) => variables.map(({ name }) => name))),
  });
  const plan = planLaunch({
    settings,
    facts,
    environment,
    sessionId: 'SESSION',
    imageReference: definition.reference,
    command: ['pi', ...args],
    volumes: VOLUMES,
    version: '1.0.0',
    sessionMount: '/run/user/1000/doompi-sandbox/XXXXXX/mount',
  });
  return previewOf({ settings, facts, plan, definition, image: undefined, secrets: [], now: 0 });
};

describe('the preview', () => {
  it('is JSON with every key, absent being null', () => {
    const shown = preview({ TERM: 'xterm', ANTHROPIC_API_KEY: 'sk-ant-real' }, {}, ['-p', 'x']);
    expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
    expect(shown).toMatchObject({
      version: 1,
      engine: { name: 'docker', platform: 'linux/amd64', endpoint: 'unix:///var/run/docker.sock', endpointSource: 'default' },
      image: { reference: 'doompi-sandbox:v1-1', present: false, id: null, ageDays: null, baseImage: 'node:24', agent: 'pi' },
      repository: { root: '/home/me/repo', cwd: '/home/me/repo/sub', devcontainer: null },
      identity: { user: { uid: 1000, gid: 100 }, userns: null },
      container: { command: ['pi', '-p', 'x'], workdir: '/home/me/repo/sub', tty: false, network: null },
      transports: ['socket', 'tunnel'],
      broker: { enabled: true, port: 8317, credentials: [{ variable: 'ANTHROPIC_API_KEY', providers: ['anthropic'] }] },
    });
    expect(shown.mounts).toContainEqual({
      type: 'bind',
      source: '/run/user/1000/doompi-sandbox/XXXXXX/mount',
      target: '/run/doompi',
      readOnly: true,
    });
    expect(shown.notices[0]).toMatchObject({ code: 'brokering', text: expect.stringMatching(/^brokering anthropic/) as string });
  });

  it('says of each variable where its value comes from, and shows only what anybody may see', () => {
    const { environment } = preview(
      { TERM: 'xterm', ANTHROPIC_API_KEY: 'sk-ant-real', STRIPE_API_KEY: 'stripe', HTTPS_PROXY: 'http://proxy:8080' },
      { passVariables: ['STRIPE_API_KEY'] },
    );
    expect(environment).toEqual(
      expect.arrayContaining([
        { name: 'TERM', source: 'sandbox', value: 'xterm' },
        { name: 'ANTHROPIC_API_KEY', source: 'token', value: null },
        { name: 'STRIPE_API_KEY', source: 'host', value: null },
        { name: 'HTTPS_PROXY', source: 'sandbox', value: 'http://proxy:8080' },
        { name: 'HTTP_PROXY', source: 'unset', value: null },
      ]),
    );
  });

  it.each(['http://proxy:8080/pac?token=canary', 'http://proxy/canary', 'proxy:8080/canary', 'http://proxy:1#canary'])(
    'S14: a proxy with more than an address is not shown: %s',
    (proxy) => {
      expect(JSON.stringify(preview({ HTTPS_PROXY: proxy }))).not.toContain('canary');
    },
  );
});

/** The variables whose values a reader may see: terminal, locale, time zone, proxies, the agent's own switches. */
const isShown = (name: string): boolean =>
  (isAllowedVariable(name, 'doompi') && name !== 'ELICITATION_SESSION_ID') || /^(?:no|https?|all)_proxy$/i.test(name);

const KEY_VARIABLES = PI_ROUTES.flatMap(({ variables }) => variables.map(({ name }) => name));

const anyName = oneof(
  constantFrom(...KEY_VARIABLES, 'ELICITATION_SESSION_ID', 'HTTPS_PROXY', 'http_proxy', 'TMUX', 'DOCKER_HOST', 'HOME', 'PATH'),
  constantFrom('AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN', 'NPM_TOKEN', 'OPENAI_BASE_URL', 'DOOMPI_BROKER_PORT', 'LC_', 'LC_x'),
  stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/),
);

describe('a preview', () => {
  it('S14: holds a canary in no variable but those that are shown', () => {
    assert(
      property(uniqueArray(anyName, { maxLength: 12 }), uniqueArray(anyName, { maxLength: 4 }), (names, passed) => {
        const hidden = names.filter((name) => !isShown(name) && !name.startsWith('DOOMPI_SANDBOX'));
        const environment = Object.fromEntries(hidden.map((name) => [name, `sk-canary-${name}`]));
        const passVariables = passed.filter((name) => !/^(?:HOME|PATH|DOCKER_.*|DOOMPI_.*)$/.test(name));
        const agent = 'doompi';
        expect(JSON.stringify(preview(environment, { passVariables, agent }))).not.toContain('canary');
      }),
    );
  });

  it('S14: holds none of a proxy with credentials', () => {
    assert(
      property(
        constantFrom('http://me:canary@proxy:1', 'me:canary@proxy', 'https://canary@proxy', 'socks5h://u:canary@[::1]:1'),
        constantFrom('HTTP_PROXY', 'https_proxy', 'ALL_PROXY'),
        (proxy, name) => {
          expect(JSON.stringify(preview({ [name]: proxy }))).not.toContain('canary');
        },
      ),
    );
  });

  it('the canaries are keys that a launch would use', () => {
    const environment = Object.fromEntries(KEY_VARIABLES.map((name) => [name, `sk-canary-${name}`]));
    expect(findCredentials(environment).length).toBeGreaterThan(10);
  });
});
