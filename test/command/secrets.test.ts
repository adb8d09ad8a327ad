import { PI_ROUTES } from '@doompi-sandbox/broker';
import { scratchRepository, stubPrograms } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { sandbox } from '../helpers/sandbox.ts';
import { buildingPodman, DEAD_DOCKER } from '../helpers/stub-engines.ts';

const KEYS = PI_ROUTES.flatMap(({ variables }) => variables.map(({ name }) => name));

/** Keys that are brokered, keys that are not, addresses with a password, and what the engine's client reads. */
const SECRETS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(KEYS.map((name) => [name, `sk-canary-${name}`])),
  STRIPE_API_KEY: 'sk-canary-stripe',
  AWS_SECRET_ACCESS_KEY: 'canary/aws',
  NPM_TOKEN: 'npm_canary',
  GITHUB_TOKEN: 'ghp_canary',
  OPENAI_BASE_URL: 'https://me:canary@example.com',
  ELICITATION_SESSION_ID: 'canary-session',
  HTTP_PROXY: 'http://me:canary@proxy:8080',
  https_proxy: 'me:canary@proxy:8080',
  ALL_PROXY: 'socks5h://canary@proxy:1',
  NO_PROXY: 'example.com',
  DOCKER_HOST: 'tcp://me:canary@127.0.0.1:1',
  DOCKER_AUTH_CONFIG: '{"auths":{"x":{"auth":"canary"}}}',
  SSH_AUTH_SOCK: '/tmp/canary.sock',
  DOOMPI_BROKER_PORT: 'canary',
};

const PASSED = Object.keys(SECRETS).filter((name) => !/^(?:DOCKER|DOOMPI)_/.test(name));

it.each([
  ['doctor', []],
  ['doctor --json', []],
  ['doctor --engine docker', []],
  ['plan -- --api-key sk-canary-argument -p x', []],
  ['plan --json --agent doompi --agent-package @agimon-ai/doompi@1.0.0 -- --token=canary', []],
  ['plan --json', PASSED.flatMap((name) => ['--env', name])],
  ['plan --engine docker', []],
  ['build', []],
])('S14: %s prints no value of any variable that may be a secret', async (line, more) => {
  const args = [...line.split(' '), ...more];
  await using repository = await scratchRepository();
  await using stubs = await stubPrograms({ docker: DEAD_DOCKER, podman: buildingPodman('make sha256:one') });
  const { stdout, stderr } = await sandbox(args, { cwd: repository.path, environment: { ...SECRETS, PATH: stubs.path } });
  expect(stdout + stderr).not.toBe('');
  expect(stdout + stderr).not.toContain('canary');
});

it.each(['sk-canary', 'unix://canary@', 'tcp://canary', 'https://user:canary@host:1', 'ssh://u:canary@127.0.0.1:1'])(
  'S14: an endpoint that cannot be used shows no password: %s',
  async (endpoint) => {
    await using repository = await scratchRepository();
    await using stubs = await stubPrograms({ docker: DEAD_DOCKER });
    const { exitCode, stdout } = await sandbox(['doctor', '--json'], {
      cwd: repository.path,
      environment: { PATH: stubs.path, DOCKER_HOST: endpoint },
    });
    expect(exitCode).toBe(1);
    expect(stdout).not.toMatch(/:canary@/);
  },
);
