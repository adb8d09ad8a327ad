import { dirname } from 'node:path';
import { runProgram, type EngineVariantId } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { useVariant, type VariantSessions } from '../helpers/variant-session.ts';

/** Every entry of a repository with owner, mode and type; git's own changes with each commit. */
const listing = async (repository: string): Promise<readonly string[]> => {
  const { stdout } = await runProgram('find', [
    repository,
    '-path',
    '*/.git',
    '-prune',
    '-o',
    '-printf',
    String.raw`%U:%G %m %y %P\n`,
  ]);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .toSorted();
};

const owners = async (repository: string): Promise<readonly string[]> => {
  const { stdout } = await runProgram('find', [repository, '-printf', String.raw`%U:%G\n`]);
  return [...new Set(stdout.trim().split('\n'))];
};

const FILES = { 'README.md': '# Mine\n', 'src/a.ts': 'export {};\n', 'bin/tool': '#!/bin/sh\n' };

const WORK = `set -e
echo new > new.txt
mkdir directory && echo deep > directory/deep.txt
printf '#!/bin/sh\\n' > run.sh && chmod 755 run.sh
ln -s new.txt link
echo changed >> README.md
git add --all
git -c user.name=Agent -c user.email=agent@example.com commit --quiet --message=Work
`;

/** A session does an agent's work in a repository of the person's; afterwards everything in it belongs to the person. */
const worksAsThePerson = async (
  { user, repository: makeRepository, run }: VariantSessions,
  options: readonly string[] = [],
): Promise<void> => {
  const person = `${user?.uid ?? process.getuid?.()}:${user?.gid ?? process.getgid?.()}`;
  await using repository = await makeRepository({ files: FILES });
  const before = await listing(repository.path);
  const { exitCode, stderr } = await run(repository.path, ['sh', '-c', WORK], { options });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const after = await listing(repository.path);
  expect(before.filter((entry) => !after.includes(entry))).toEqual([]);
  expect(after.filter((entry) => !before.includes(entry))).toEqual(
    [
      `${person} 644 f directory/deep.txt`,
      `${person} 644 f new.txt`,
      `${person} 755 d .pi`,
      `${person} 755 d directory`,
      `${person} 755 f run.sh`,
      `${person} 777 l link`,
    ].toSorted(),
  );
  expect(await owners(repository.path)).toEqual([person]);
  expect(await repository.git('log', '-1', '--format=%an %s')).toBe('Agent Work\n');
  expect(await repository.git('status', '--porcelain')).toBe('');
};

const VARIANTS: readonly EngineVariantId[] = ['docker', 'podman', 'podman-rootless', 'docker-rootless', 'docker-userns'];

describe.each(VARIANTS)('files on %s', (id) => {
  const sessions = useVariant(id);

  it('B10, B12: what a session makes is the person’s, and what was there stays as it was', async ({ skip }) => {
    const { reason } = sessions();
    if (reason !== undefined) skip(reason);
    await worksAsThePerson(sessions());
  });

  it('B06: no mount point of another user is left in the repository, and a .pi of the person keeps everything', async ({
    skip,
  }) => {
    const { reason, repository: makeRepository, run } = sessions();
    if (reason !== undefined) skip(reason);
    await using repository = await makeRepository({ files: { ...FILES, '.pi/settings.json': '{"theme":"dark"}\n' } });
    const before = await listing(repository.path);
    const script = 'ls -A .pi && echo planted > .pi/npm/planted && echo planted > .pi/planted';
    const { exitCode, stdout } = await run(repository.path, ['sh', '-c', script]);
    expect([exitCode, stdout]).toEqual([0, 'git\nnpm\n']);
    expect(await listing(repository.path)).toEqual(before);
    expect(await repository.git('status', '--porcelain')).toBe('');
  });

  it('B11: home and shadows are writable, keep what they have, and are not gone through at each start', async ({ skip }) => {
    const { reason, repository: makeRepository, run } = sessions();
    if (reason !== undefined) skip(reason);
    await using repository = await makeRepository();
    const paths = ['$HOME/.pi/x', '$HOME/.cache/y', '$HOME/.pi/agent/npm/z', '.pi/npm/w', '.pi/v'];
    const first = paths.map((path) => `mkdir -p "$(dirname "${path}")" && echo kept > "${path}"`).join(' && ');
    const state = `stat -c '%n %u:%g %a %Z' ${paths.map((path) => `"${path}"`).join(' ')} "$HOME/.cache"`;
    const one = await run(repository.path, ['sh', '-c', `${first} && ${state}`]);
    expect([one.exitCode, one.stderr.includes('EACCES')]).toEqual([0, false]);
    const two = await run(repository.path, ['sh', '-c', `${state} && cat ${paths.map((path) => `"${path}"`).join(' ')}`]);
    expect(two.stdout).toBe(`${one.stdout}${'kept\n'.repeat(paths.length)}`);
  });

  it('the agent’s user has a name, a group and the session’s home', async ({ skip }) => {
    const { reason, user, repository: makeRepository, run } = sessions();
    if (reason !== undefined) skip(reason);
    await using repository = await makeRepository();
    const script = 'id -un; id -gn; node -p "require(\'os\').userInfo().homedir"; getent passwd "$(id -u)" | cut -d: -f6';
    const { stdout } = await run(repository.path, ['sh', '-c', script]);
    const name = user === undefined || id === 'docker-rootless' ? 'root' : user.name;
    expect(stdout).toBe(`${name}\n${name}\n/doompi-home\n/doompi-home\n`);
  });
});

/** Rootful podman is root's alone, and root can write every directory. */
describe.each(VARIANTS.filter((id) => id !== 'podman'))('a directory of another user on %s', (id) => {
  const sessions = useVariant(id);

  it('B11: a repository that the person cannot write is told before the agent starts', async ({ skip }) => {
    const { reason, noUser, repository: makeRepository, run } = sessions();
    if (reason !== undefined) skip(reason);
    // Root can write every directory.
    if (noUser !== undefined) skip(noUser);
    await using repository = await makeRepository();
    await runProgram('chown', ['--recursive', '0:0', repository.path]);
    const { exitCode, stdout, stderr } = await run(repository.path, ['echo', 'started']);
    expect([exitCode === 0, stdout]).toEqual([false, '']);
    expect(stderr).toMatch(/LAUNCH_MOUNT_POINT_UNUSABLE|BRIDGE_WORKSPACE_NOT_WRITABLE|not writable/);
  });
});

describe('files under gVisor', () => {
  const sessions = useVariant('docker-gvisor');

  it.for(['runsc', 'runsc-uds'])('B10: with the runtime %s they are the person’s as well', async (runtime, { skip }) => {
    const { reason } = sessions();
    if (reason !== undefined) skip(reason);
    await worksAsThePerson(sessions(), ['--runtime', runtime]);
  });
});

describe('a person whom the host knows by number alone', () => {
  const sessions = useVariant('docker');

  it('B10, B11: has a session without a home of their own, and what it makes is theirs', async ({ skip }) => {
    const { reason, repository: makeRepository, run } = sessions();
    if (reason !== undefined) skip(reason);
    await using repository = await makeRepository();
    await runProgram('chown', ['--recursive', '4242:0', dirname(repository.path)]);
    const script = 'id -u; id -g; id -un; touch made "$HOME/kept"';
    const as = { name: '', uid: 4242, gid: 0, home: '' };
    const { exitCode, stdout, stderr } = await run(repository.path, ['sh', '-c', script], { as });
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0, stdout: '4242\n0\nagent\n' });
    expect(await owners(repository.path)).toEqual(['4242:0']);
  });
});
