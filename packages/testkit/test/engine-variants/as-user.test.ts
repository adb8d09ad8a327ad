import { stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  engineVariant,
  removeByLabel,
  runOnVariant,
  runProgram,
  scratchRepository,
  variantProgram,
  type EngineVariant,
  type EngineVariantId,
} from '../../src/index.ts';

const user = { name: 'somebody', uid: 1234, gid: 2345, home: '/home/somebody' };
const rootless: EngineVariant = {
  id: 'podman-rootless',
  engine: 'podman',
  user,
  environment: { XDG_RUNTIME_DIR: '/run/somebody' },
  runtimes: [],
};

describe('a program on a variant', () => {
  it('gets the environment of the variant, and of this machine only proxies and certificates', async () => {
    const hostEnv = { PATH: '/own/bin', ANTHROPIC_API_KEY: 'secret', DOCKER_HOST: 'tcp://x', SSL_CERT_FILE: '/ca', HOME: '/h' };
    const { file, args, env } = await variantProgram(rootless, 'podman', ['ps'], { hostEnv, env: { MORE: '1' } });
    expect([file, ...args]).toEqual(['setpriv', '--reuid', '1234', '--regid', '2345', '--groups', '2345', '--', 'podman', 'ps']);
    expect(env).toEqual({
      SSL_CERT_FILE: '/ca',
      HOME: '/home/somebody',
      USER: 'somebody',
      LOGNAME: 'somebody',
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      XDG_RUNTIME_DIR: '/run/somebody',
      MORE: '1',
    });
  });

  it('runs as this user where the engine has no user of its own', async () => {
    const rootful: EngineVariant = { id: 'docker', engine: 'docker', user: undefined, environment: {}, runtimes: [] };
    expect(await variantProgram(rootful, 'docker', ['ps'], { hostEnv: { PATH: '/p' } })).toMatchObject({
      file: 'docker',
      args: ['ps'],
      env: { PATH: '/p' },
    });
  });
});

describe.each<EngineVariantId>(['docker', 'podman', 'podman-rootless', 'docker-rootless', 'docker-userns', 'docker-gvisor'])(
  'the engine %s',
  (id) => {
    it('makes objects for its own user, which removeByLabel takes away again', async ({ skip }) => {
      const variant = await engineVariant(id);
      if (typeof variant === 'string') return skip(variant);
      const name = `testkit-${process.pid}-${Date.now()}`;
      const label = `doompi.sandbox.test=${name}`;
      const engine = async (...args: readonly string[]): Promise<string> => {
        const { exitCode, stdout, stderr } = await runOnVariant(variant, variant.engine, args);
        expect(exitCode, stderr).toBe(0);
        return stdout.trim();
      };
      try {
        await engine('volume', 'create', '--label', label, name);
        if (variant.user !== undefined)
          expect(await engine('volume', 'inspect', '--format', '{{.Mountpoint}}', name)).toContain(variant.user.home);
      } finally {
        expect(await removeByLabel(label, variant)).toBe(1);
      }
      expect(await engine('volume', 'ls', '--quiet', '--filter', `name=${name}`)).toBe('');
    });
  },
);

describe('a rootful docker for a normal user', () => {
  it('lets the user in by the group of its socket', async ({ skip }) => {
    const [docker, podman] = [await engineVariant('docker'), await engineVariant('podman-rootless')];
    if (typeof docker === 'string') return skip(docker);
    if (typeof podman === 'string') return skip(podman);
    if (podman.user === undefined) return skip('only root can become another user');
    const seen = await runOnVariant(docker, 'sh', ['-c', 'id -u; docker version --format {{.Server.Os}}'], { user: podman.user });
    expect(seen).toMatchObject({ exitCode: 0, stdout: `${podman.user.uid}\nlinux\n` });
  });
});

describe('scratchRepository for another user', () => {
  it('belongs to that user, also for git', async ({ skip }) => {
    if (process.getuid?.() !== 0) return skip('only root can give a directory to another user');
    await using repository = await scratchRepository({ owner: { uid: 1234, gid: 2345 }, files: { 'deep/file': 'x' } });
    expect(await stat(`${repository.path}/deep/file`)).toMatchObject({ uid: 1234, gid: 2345 });
    expect(await repository.git('status', '--porcelain')).toBe('');
    await repository.git('commit', '--quiet', '--allow-empty', '--message=Second commit');
    const found = await runProgram('find', [repository.path, '!', '-uid', '1234']);
    expect(found.stdout).toBe('');
  });
});
