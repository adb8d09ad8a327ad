import type { Diagnosis } from '@doompi-sandbox/harness';
import { expect, it } from 'vitest';
import { formatDoctor } from '../src/format-doctor.ts';

const docker = {
  name: 'docker',
  clientVersion: '28.2.2',
  serverVersion: '20.10.24',
  apiVersion: '1.41',
  platform: 'linux/amd64',
  endpoint: 'unix:///var/run/docker.sock',
  endpointSource: 'default',
  location: 'native',
  rootless: false,
  usernsRemap: true,
  selinux: false,
};

const diagnosis: Diagnosis = {
  version: 1,
  ready: true,
  settings: { facts: { agent: 'pi', engine: null }, findings: [] },
  engines: {
    facts: {
      candidates: [
        { candidate: 'docker', outcome: 'taken', file: '/usr/bin/docker', engine: docker, reason: null, code: null },
        { candidate: 'podman', outcome: 'absent', file: null, engine: null, reason: 'not on PATH', code: null },
        {
          candidate: 'finch',
          outcome: 'unusable',
          file: '/usr/bin/finch',
          engine: null,
          reason: 'a chat client',
          code: 'ENGINE_UNSUPPORTED',
        },
      ],
      details: {
        operatingSystem: 'Debian',
        kernelVersion: '6.1',
        cgroupVersion: '2',
        storageDriver: 'overlay2',
        runtimes: ['runc', 'runsc'],
        defaultRuntime: 'runc',
        securityOptions: ['seccomp'],
        builder: 'legacy',
      },
    },
    findings: [],
  },
  image: {
    facts: {
      reference: 'doompi-sandbox:v1-1',
      baseImage: 'node:24',
      agent: 'pi',
      agentVersion: '1.6.0',
      present: true,
      id: 'sha256:1',
      createdAt: '2026-01-01T00:00:00Z',
      ageDays: 41,
      sizeBytes: 737_400_000,
      basePresent: null,
    },
    findings: [
      {
        severity: 'warning',
        code: 'image-outdated',
        text: 'built 41 days ago',
        advice: '`doompi-sandbox build --refresh` builds it anew.',
      },
    ],
  },
  transport: { facts: { candidates: [{ transport: 'socket', reason: 'it connects' }] }, findings: [] },
  credentials: {
    facts: { broker: true, credentials: [{ variable: 'ANTHROPIC_API_KEY', providers: ['anthropic'] }] },
    findings: [],
  },
  terminal: { facts: { stdin: true, stdout: true, term: 'xterm\u001B[2J', columns: 80, rows: 24, colours: '16' }, findings: [] },
  repository: {
    facts: {
      root: '/repo\nforged',
      cwd: '/repo\nforged/sub',
      logicalCwd: null,
      git: 'repository',
      gitDirectoryOutside: null,
      devcontainer: null,
      writable: true,
      home: false,
    },
    findings: [],
  },
  host: {
    facts: {
      platform: 'linux',
      arch: 'x64',
      kernel: '6.1',
      node: '24.1.0',
      version: '0.0.0',
      uid: 1000,
      gid: 100,
      user: null,
      subordinateUids: 65536,
      subordinateGids: null,
      insideSandbox: false,
    },
    findings: [],
  },
};

it('tells each part, aligned, with a line for what is wrong and one for what to do', () => {
  expect(formatDoctor(diagnosis, '1.2.3')).toBe(`engines
  docker    taken; docker 20.10.24, client 28.2.2; unix:///var/run/docker.sock (from default); /usr/bin/docker
  podman    skipped: not on PATH
  finch     skipped: a chat client; /usr/bin/finch
  server    linux/amd64, native, rootful, userns-remap, API 1.41
  host      Debian, kernel 6.1
  cgroup    v2
  storage   overlay2
  runtimes  runc (default), runsc
  security  seccomp
  builder   legacy

image
  reference   doompi-sandbox:v1-1
  agent       pi 1.6.0
  base image  node:24
  present     yes, 41 days old, 737 MB
  warning: built 41 days ago [image-outdated]
           doompi-sandbox build --refresh builds it anew.

transport
  socket  it connects

keys on this host (names only)
  ANTHROPIC_API_KEY  brokered for anthropic

terminal
  stdin    yes
  stdout   yes
  TERM     xterm\u{fffd}[2J
  size     80 columns, 24 rows
  colours  16

repository
  root           /repo\u{fffd}forged
  directory      /repo\u{fffd}forged/sub
  git            repository
  dev container  none
  writable       yes

host (doompi-sandbox 1.2.3)
  system           linux/x64, kernel 6.1
  node             24.1.0
  user             no name (1000:100)
  subordinate ids  65536 uids, unknown gids

A session can start here, with 1 warning.
`);
});

it('a part without facts has its findings, and a reason that a finding tells is told once', () => {
  const reason = 'docker cannot be used: why';
  const failed: Diagnosis = {
    ...diagnosis,
    ready: false,
    engines: {
      facts: {
        candidates: [{ candidate: 'docker', outcome: 'unusable', file: '/d', engine: null, reason, code: 'ENGINE_UNREACHABLE' }],
        details: null,
      },
      findings: [{ severity: 'error', code: 'ENGINE_UNREACHABLE', text: reason, advice: 'Start it.' }],
    },
    image: { facts: null, findings: [{ severity: 'error', code: 'part-failed', text: 'image: slow', advice: 'Again.' }] },
    transport: { facts: null, findings: [] },
    settings: {
      facts: { agent: 'pi', engine: null },
      findings: [{ severity: 'error', code: 'LAUNCH_SETTINGS_INVALID', text: 'bad', advice: 'Correct it.' }],
    },
  };
  const text = formatDoctor(failed, '1');
  expect(text).toContain(
    'engines\n  docker  skipped [ENGINE_UNREACHABLE]; /d\n  error: docker cannot be used: why [ENGINE_UNREACHABLE]\n',
  );
  expect(text).toContain('image\n  error: image: slow [part-failed]\n         Again.\n');
  expect(text).toContain('transport\n  unknown: there is no engine to ask\n');
  expect(text).toContain('settings\n  error: bad [LAUNCH_SETTINGS_INVALID]\n');
  expect(text).toMatch(/\nNo session can start here: 3 errors, 0 warnings\.\n$/);
});
