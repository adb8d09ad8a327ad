import { chmod, lstat, mkdir, readdir, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { isLaunchError } from '../../src/error.ts';
import { findBlockedMounts, makeMountPoint } from '../../src/storage/mount-points.ts';

const PATHS = ['.pi/npm', '.pi/git'];

const failure = async (action: Promise<unknown>): Promise<unknown> =>
  action.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a mount point below the repository', () => {
  it('B06: is made by the person, with every directory above it', async () => {
    await using scratch = await temporaryDirectory();
    expect(await findBlockedMounts(scratch.path, PATHS)).toEqual([]);
    for (const path of PATHS) await makeMountPoint(scratch.path, path);
    expect((await readdir(join(scratch.path, '.pi'))).toSorted()).toEqual(['git', 'npm']);
    for (const path of ['.pi', ...PATHS]) expect((await stat(join(scratch.path, path))).uid, path).toBe(process.getuid?.());
  });

  it('B06: that is there keeps mode, time and content', async () => {
    await using scratch = await temporaryDirectory();
    await mkdir(join(scratch.path, '.pi/npm'), { recursive: true });
    await writeFile(join(scratch.path, '.pi/npm/package.json'), '{}');
    await chmod(join(scratch.path, '.pi'), 0o710);
    const before = await stat(join(scratch.path, '.pi/npm'), { bigint: true });
    await makeMountPoint(scratch.path, '.pi/npm');
    const after = await stat(join(scratch.path, '.pi/npm'), { bigint: true });
    expect([after.ctimeNs, after.mode, after.ino]).toEqual([before.ctimeNs, before.mode, before.ino]);
    expect((await stat(join(scratch.path, '.pi'))).mode & 0o777).toBe(0o710);
    expect(await readdir(join(scratch.path, '.pi/npm'))).toEqual(['package.json']);
  });

  it('S05: a symbolic link on the way is not followed when it is looked at', async () => {
    await using scratch = await temporaryDirectory();
    await using elsewhere = await temporaryDirectory();
    await symlink(elsewhere.path, join(scratch.path, '.pi'));
    expect(await findBlockedMounts(scratch.path, PATHS)).toEqual([
      { path: '.pi/npm', reason: 'symbolic-link' },
      { path: '.pi/git', reason: 'symbolic-link' },
    ]);
  });

  it('S05: a link at the end is not followed either', async () => {
    await using scratch = await temporaryDirectory();
    await mkdir(join(scratch.path, '.pi'));
    await symlink('/', join(scratch.path, '.pi/git'));
    expect(await findBlockedMounts(scratch.path, PATHS)).toEqual([{ path: '.pi/git', reason: 'symbolic-link' }]);
  });

  it('S05: a directory that becomes a link after it was looked at makes nothing elsewhere', async () => {
    await using scratch = await temporaryDirectory();
    await using elsewhere = await temporaryDirectory();
    await mkdir(join(scratch.path, '.pi'));
    expect(await findBlockedMounts(scratch.path, PATHS)).toEqual([]);
    await rename(join(scratch.path, '.pi'), join(scratch.path, 'old'));
    await symlink(elsewhere.path, join(scratch.path, '.pi'));
    const error = await failure(makeMountPoint(scratch.path, '.pi/npm'));
    expect(isLaunchError(error, 'LAUNCH_MOUNT_POINT_UNUSABLE') && error.details).toEqual({ path: join(scratch.path, '.pi/npm') });
    expect(await readdir(elsewhere.path)).toEqual([]);
    expect((await lstat(join(scratch.path, '.pi'))).isSymbolicLink()).toBe(true);
  });

  it('a file in its place is a reason, and stays', async () => {
    await using scratch = await temporaryDirectory();
    await writeFile(join(scratch.path, '.pi'), 'mine');
    expect((await findBlockedMounts(scratch.path, PATHS)).map(({ reason }) => reason)).toEqual([
      'not-a-directory',
      'not-a-directory',
    ]);
    expect(isLaunchError(await failure(makeMountPoint(scratch.path, '.pi/npm')), 'LAUNCH_MOUNT_POINT_UNUSABLE')).toBe(true);
  });

  it('what lies below another mount is judged by that one: on the host it is hidden', async () => {
    await using scratch = await temporaryDirectory();
    await mkdir(join(scratch.path, '.pi'));
    await symlink('/', join(scratch.path, '.pi/npm'));
    expect(await findBlockedMounts(scratch.path, ['.pi', ...PATHS])).toEqual([]);
  });

  it('in a place that the person cannot write is told as that', async () => {
    // Not even root makes a directory there.
    const error = await failure(makeMountPoint('/sys', '.pi/npm'));
    expect(isLaunchError(error, 'LAUNCH_MOUNT_POINT_UNUSABLE')).toBe(true);
    expect((error as Error).message).toMatch(/^\/sys\/\.pi\/npm cannot be made \(E[A-Z]+\): you cannot write there/);
  });

  it('two sessions that make it at once both succeed', async () => {
    await using scratch = await temporaryDirectory();
    const makers = Array.from({ length: 20 }, async () => makeMountPoint(scratch.path, '.pi/npm'));
    expect((await Promise.allSettled(makers)).filter(({ status }) => status === 'rejected')).toEqual([]);
  });
});
