import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { identityOf, repositoryIdentity } from '../../src/storage/repository-identity.ts';

describe('the identity of a repository', () => {
  it('stays when its content changes and when it is moved', async () => {
    await using scratch = await temporaryDirectory();
    const path = join(scratch.path, 'repository');
    await mkdir(path);
    const before = await repositoryIdentity(path);
    await writeFile(join(path, 'file'), 'content');
    expect(await repositoryIdentity(path)).toBe(before);
    await rename(path, `${path}-moved`);
    expect(await repositoryIdentity(`${path}-moved`)).toBe(before);
  });

  it('S06: differs for every directory that is made at the same path later, though inode numbers are used again', async () => {
    await using scratch = await temporaryDirectory();
    const path = join(scratch.path, 'repository');
    const seen = new Set<string>();
    for (let turn = 0; turn < 50; turn += 1) {
      await mkdir(path);
      seen.add(await repositoryIdentity(path));
      await rm(path, { recursive: true });
    }
    expect(seen.size).toBe(50);
  });

  it('is the inode number where the file system keeps no time of birth', () => {
    expect(identityOf({ ino: 7n, birthtimeNs: 0n })).toBe('7');
    expect(identityOf({ ino: 7n, birthtimeNs: 5n })).toBe('7-5');
  });
});
