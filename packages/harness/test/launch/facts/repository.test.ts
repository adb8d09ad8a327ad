import { chown, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { findRepositoryRoot, isLaunchError } from '../../../src/index.ts';
import { inspectRepository } from '../../../src/launch/facts/repository.ts';

it('the root is the nearest directory with .git, file or directory, else the start itself', async () => {
  await using base = await temporaryDirectory();
  const deep = join(base.path, 'repo/a/b');
  await mkdir(deep, { recursive: true });
  expect(await findRepositoryRoot(deep)).toBe(deep);
  await mkdir(join(base.path, 'repo/.git'));
  expect(await findRepositoryRoot(deep)).toBe(join(base.path, 'repo'));
  await writeFile(join(base.path, 'repo/a/.git'), 'gitdir: elsewhere');
  expect(await findRepositoryRoot(deep)).toBe(join(base.path, 'repo/a'));
});

it('S03: a .git that another user put above the working directory is passed over', async ({ skip }) => {
  if (process.getuid?.() !== 0) skip('only root can give a directory to another user');
  await using base = await temporaryDirectory();
  const work = join(base.path, 'shared/mine/work');
  await mkdir(work, { recursive: true });
  await mkdir(join(base.path, 'shared/.git'));
  await chown(join(base.path, 'shared/.git'), 4321, 4321);
  expect(await findRepositoryRoot(work)).toBe(work);
  // Root in a repository of somebody's, standing in a directory of theirs.
  await chown(work, 4321, 4321);
  expect(await findRepositoryRoot(work)).toBe(join(base.path, 'shared'));
});

it('a symbolic link and its target are one repository', async () => {
  await using base = await temporaryDirectory();
  await mkdir(join(base.path, 'real/sub'), { recursive: true });
  await symlink(join(base.path, 'real'), join(base.path, 'link'));
  const repository = await inspectRepository({ repoRoot: join(base.path, 'link'), cwd: join(base.path, 'link/sub') });
  expect(repository).toEqual({ root: join(base.path, 'real'), cwd: join(base.path, 'real/sub'), devcontainer: undefined });
});

it('the whole file system, a missing directory, a file and an outside directory are refused', async () => {
  await using base = await temporaryDirectory();
  await mkdir(join(base.path, 'repo'));
  await mkdir(join(base.path, 'repo-other'));
  await writeFile(join(base.path, 'file'), '');
  const cases = [
    { repoRoot: '/', cwd: base.path },
    { repoRoot: join(base.path, 'not-utf-8-\u{fffd}'), cwd: base.path },
    { repoRoot: join(base.path, 'gone'), cwd: base.path },
    { repoRoot: join(base.path, 'file'), cwd: base.path },
    { repoRoot: join(base.path, 'repo'), cwd: join(base.path, 'repo-other') },
  ];
  for (const request of cases)
    expect(
      isLaunchError(await inspectRepository(request).catch((error: unknown) => error), 'LAUNCH_REPOSITORY_UNUSABLE'),
      request.cwd,
    ).toBe(true);
});

it('a dev container configuration is noticed', async () => {
  await using base = await temporaryDirectory();
  await writeFile(join(base.path, '.devcontainer.json'), '{}');
  expect((await inspectRepository({ repoRoot: base.path, cwd: base.path })).devcontainer).toBe('.devcontainer.json');
});

it('a directory that would cover one of the container is refused', async () => {
  // Both exist on every Linux; inside, `/run/doompi` and `/opt/doompi` are ours.
  for (const path of ['/run', '/opt']) {
    const failure: unknown = await inspectRepository({ repoRoot: path, cwd: path }).catch((error: unknown) => error);
    expect(isLaunchError(failure, 'LAUNCH_REPOSITORY_UNUSABLE'), path).toBe(true);
    expect((failure as Error).message).toContain(`${path}/doompi`);
  }
});
