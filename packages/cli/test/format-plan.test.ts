import type { LaunchPreview } from '@doompi-sandbox/harness';
import { expect, it } from 'vitest';
import { formatPlan } from '../src/format-plan.ts';

const plan: LaunchPreview = {
  version: 1,
  engine: {
    name: 'docker',
    file: '/usr/bin/docker',
    clientVersion: '20.10.24',
    serverVersion: '20.10.24',
    apiVersion: '1.41',
    platform: 'linux/amd64',
    endpoint: 'unix:///var/run/docker.sock',
    endpointSource: 'default',
    location: 'native',
    rootless: false,
    usernsRemap: false,
    selinux: false,
  },
  image: { reference: 'r:1', present: true, id: 'sha256:1', ageDays: 1, baseImage: 'node:24', agent: 'pi', agentVersion: '1' },
  repository: { root: '/repo', cwd: '/repo/sub', devcontainer: null },
  identity: { user: { uid: 1000, gid: 100 }, userns: null, inside: { uid: 1000, gid: 100 } },
  container: { command: ['pi', '-p', "it's\n"], workdir: '/repo/sub', tty: true, network: null },
  mounts: [
    { type: 'bind', source: '/repo', target: '/repo', readOnly: false },
    { type: 'volume', source: 'home', target: '/doompi-home', readOnly: false },
    { type: 'tmpfs', source: null, target: '/tmp', readOnly: false },
    { type: 'bind', source: '/run/x', target: '/run/doompi', readOnly: true },
  ],
  transports: ['socket', 'tunnel'],
  environment: [
    { name: 'A_KEY', source: 'token', value: null },
    { name: 'B', source: 'host', value: null },
    { name: 'C', source: 'sandbox', value: 'c' },
    { name: 'D', source: 'sandbox', value: null },
    { name: 'E', source: 'unset', value: null },
  ],
  broker: { enabled: true, port: 8317, credentials: [{ variable: 'A_KEY', providers: ['a', 'b'] }] },
  notices: [],
};

it('is a row for each thing that a launch decides', () => {
  expect(formatPlan(plan)).toBe(`engine       docker 20.10.24 (/usr/bin/docker, linux/amd64)
endpoint     unix:///var/run/docker.sock (from default)
image        r:1 (present, 1 day old)
repository   /repo
directory    /repo/sub
user         1000:100
command      pi -p 'it'\\''s\u{fffd}'
terminal     yes
network      the engine's default
mounts       /repo -> /repo
             volume home -> /doompi-home
             memory -> /tmp
             /run/x -> /run/doompi (read-only)
transports   socket, tunnel
broker       a, b (A_KEY)
environment  A_KEY (session token)
             B (the host's value)
             C=c
             D
`);
});

it('says what is not there', () => {
  const text = formatPlan({
    ...plan,
    engine: { ...plan.engine, endpoint: null, endpointSource: null },
    image: { ...plan.image, present: false, ageDays: null },
    repository: { ...plan.repository, cwd: '/repo' },
    identity: { user: null, userns: 'keep-id', inside: { uid: 1000, gid: 1000 } },
    broker: { enabled: true, port: null, credentials: [] },
  });
  expect(text).not.toMatch(/endpoint|directory/);
  expect(text).toContain('image        r:1 (to be built on node:24)\n');
  expect(text).toContain("user         the image's own, 1000:1000 inside, user namespace keep-id\n");
  expect(text).toContain('broker       nothing to broker\n');
  expect(formatPlan({ ...plan, broker: { ...plan.broker, enabled: false } })).toContain('broker       off\n');
});
