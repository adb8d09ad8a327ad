import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram, scratchRepository, temporaryDirectory } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { judgeRepository, repositoryFacts, type RepositoryFacts } from '../../src/doctor/repository.ts';

const factsOf = async (root: string, environment: Record<string, string> = {}, cwd = root): Promise<RepositoryFacts> =>
  repositoryFacts({ repoRoot: root, cwd, environment });

const codes = (facts: RepositoryFacts): string[] => judgeRepository(facts).map(({ severity, code }) => `${severity} ${code}`);

describe('the repository', () => {
  it('in its plain state has no findings', async () => {
    await using repository = await scratchRepository();
    const facts = await factsOf(repository.path);
    expect(facts).toEqual({
      root: repository.path,
      cwd: repository.path,
      logicalCwd: null,
      git: 'repository',
      gitDirectoryOutside: null,
      devcontainer: null,
      writable: true,
      home: false,
    });
    expect(codes(facts)).toEqual([]);
  });

  it('that is none is noted, and one that is the home directory is a warning', async () => {
    await using directory = await temporaryDirectory();
    expect(codes(await factsOf(directory.path))).toEqual(['ok not-a-repository']);
    await symlink(directory.path, `${directory.path}-link`);
    expect(codes(await factsOf(directory.path, { HOME: `${directory.path}-link` }))).toEqual(['warning home-is-repository']);
    await runProgram('rm', [`${directory.path}-link`]);
  });

  it('of a worktree has its git directory elsewhere', async () => {
    await using repository = await scratchRepository();
    const worktree = `${repository.path}-tree`;
    await repository.git('worktree', 'add', '--quiet', worktree);
    const facts = await factsOf(worktree);
    expect(facts).toMatchObject({
      git: 'worktree',
      gitDirectoryOutside: join(repository.path, '.git/worktrees/repository-tree'),
    });
    expect(codes(facts)).toEqual(['warning git-directory-outside']);
    expect(codes(await factsOf(join(worktree, '..'), {}, worktree))).toEqual(['ok not-a-repository']);
  });

  it('of a submodule is told from a worktree', async () => {
    await using inner = await scratchRepository({ name: 'inner' });
    await using outer = await scratchRepository({ name: 'outer' });
    await outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'sub');
    expect(await factsOf(join(outer.path, 'sub'))).toMatchObject({
      git: 'submodule',
      gitDirectoryOutside: join(outer.path, '.git/modules/sub'),
    });
  });

  it.each([
    ['a file of something else', async (git: string) => writeFile(git, 'text\n'.repeat(100_000))],
    ['a symbolic link', async (git: string) => symlink('/dev/zero', git)],
    ['a pipe', async (git: string) => void (await runProgram('mkfifo', [git]))],
  ])('with %s for .git is looked at and not believed', async (_, make) => {
    await using directory = await temporaryDirectory();
    await make(join(directory.path, '.git'));
    expect(await factsOf(directory.path)).toMatchObject({ git: 'repository', gitDirectoryOutside: null });
  });

  it('reached through a symbolic link is told by both names', async () => {
    await using repository = await scratchRepository();
    const link = `${repository.path}-link`;
    await symlink(repository.path, link);
    expect(await factsOf(repository.path, { PWD: link })).toMatchObject({ logicalCwd: link });
    expect(await factsOf(repository.path, { PWD: '/' })).toMatchObject({ logicalCwd: null });
  });

  it('that cannot be written is an error', async () => {
    await using repository = await scratchRepository();
    const facts = await factsOf(repository.path);
    expect(codes({ ...facts, writable: false })).toEqual(['error repository-read-only']);
  });

  it('has a dev container', async () => {
    await using repository = await scratchRepository();
    await mkdir(join(repository.path, '.devcontainer'));
    await writeFile(join(repository.path, '.devcontainer/devcontainer.json'), '{}');
    expect(await factsOf(repository.path)).toMatchObject({ devcontainer: '.devcontainer/devcontainer.json' });
  });

  it('that cannot be mounted is refused as by a launch', async () => {
    await expect(factsOf('/')).rejects.toMatchObject({ code: 'LAUNCH_REPOSITORY_UNUSABLE' });
  });
});
