import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@doompi-sandbox/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProgram } from '../../src/index.ts';

let root: string;
let dispose: () => Promise<void>;

const program = async (directory: string, mode = 0o755): Promise<string> => {
  await mkdir(join(root, directory), { recursive: true });
  const file = join(root, directory, 'tool');
  await writeFile(file, '#!/bin/sh\n');
  await chmod(file, mode);
  return file;
};

beforeEach(async () => {
  ({ path: root, dispose } = await temporaryDirectory());
});
afterEach(() => dispose());

describe('findProgram', () => {
  it('gives the first executable file, past directories, plain files and missing entries', async () => {
    await mkdir(join(root, 'directory/tool'), { recursive: true });
    await program('plain', 0o644);
    const first = await program('first');
    await program('second');
    const path = ['missing', 'directory', 'plain', 'first', 'second'].map((name) => join(root, name)).join(':');
    expect(findProgram('tool', { path })).toBe(first);
  });

  it('is undefined without PATH and without a match', () => {
    expect(findProgram('tool', { path: undefined })).toBeUndefined();
    expect(findProgram('tool', { path: root })).toBeUndefined();
  });

  it('S03: skips relative and empty entries, whatever the working directory holds', async () => {
    await program('repository');
    const before = process.cwd();
    process.chdir(join(root, 'repository'));
    try {
      expect(findProgram('tool', { path: '.::../repository' })).toBeUndefined();
    } finally {
      process.chdir(before);
    }
  });

  it('S03: skips an excluded directory, also through a link on either side', async () => {
    const outside = await program('outside');
    await program('repository/bin');
    await symlink(join(root, 'repository/bin'), join(root, 'alias'));
    await symlink(join(root, 'repository'), join(root, 'checkout'));
    const path = ['repository/bin', 'alias', 'outside'].map((name) => join(root, name)).join(':');
    expect(findProgram('tool', { path, exclude: [join(root, 'repository')] })).toBe(outside);
    expect(findProgram('tool', { path, exclude: [join(root, 'checkout')] })).toBe(outside);
  });

  it('does not take a sibling for something inside', async () => {
    const sibling = await program('repository-tools');
    expect(findProgram('tool', { path: join(root, 'repository-tools'), exclude: [join(root, 'repository')] })).toBe(sibling);
  });

  it('refuses a path instead of a name', () => {
    expect(() => findProgram('./tool', { path: root })).toThrow(TypeError);
  });
});
