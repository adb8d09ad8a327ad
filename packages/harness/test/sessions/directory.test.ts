import { once } from 'node:events';
import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { isLaunchError } from '../../src/index.ts';
import { openSessionDirectory, previewSessionMount } from '../../src/sessions/directory.ts';

const uid = process.getuid?.() ?? 0;
const repository = '/repository';

/** A directory below `base` whose path has exactly this many bytes. */
const directoryOfLength = async (base: string, bytes: number, filler = 'x'): Promise<string> => {
  let path = base;
  while (Buffer.byteLength(path) < bytes) {
    const left = bytes - Buffer.byteLength(path) - 1;
    const name = filler.repeat(Math.max(1, Math.floor(Math.min(left, 100) / Buffer.byteLength(filler))));
    path = join(path, left - Buffer.byteLength(name) === 1 ? `${name}y` : name);
  }
  await mkdir(path, { recursive: true });
  return path;
};

describe('the session directory', () => {
  it('is private, holds a mount directory, and is removed with all in it', async () => {
    await using base = await temporaryDirectory();
    const directory = await openSessionDirectory({ temporaryDirectory: base.path, uid, repository });
    expect((await stat(directory.path)).mode & 0o777).toBe(0o700);
    expect((await stat(directory.mount)).isDirectory()).toBe(true);
    await directory[Symbol.asyncDispose]();
    expect(await readdir(base.path)).toEqual([]);
  });

  it('prefers the runtime directory', async () => {
    await using base = await temporaryDirectory();
    await using directory = await openSessionDirectory({
      runtimeDirectory: base.path,
      temporaryDirectory: '/nowhere',
      uid,
      repository,
    });
    expect(directory.path.startsWith(join(base.path, 'doompi-sandbox/'))).toBe(true);
    expect((await stat(join(base.path, 'doompi-sandbox'))).mode & 0o777).toBe(0o700);
  });

  it('S12: does not use a directory of that name that others can enter', async () => {
    await using base = await temporaryDirectory();
    await mkdir(join(base.path, 'doompi-sandbox'), { mode: 0o777 });
    await using temporary = await temporaryDirectory();
    await using directory = await openSessionDirectory({
      runtimeDirectory: base.path,
      temporaryDirectory: temporary.path,
      uid,
      repository,
    });
    expect(directory.path.startsWith(temporary.path)).toBe(true);
  });

  it.each([
    [80, 'x'],
    [95, 'x'],
    [107, 'x'],
    [120, 'x'],
    [200, 'x'],
    [100, 'ä'],
  ])('B36: works with a TMPDIR of %i bytes (%s), and a socket in it can be bound', async (bytes, filler) => {
    await using base = await temporaryDirectory();
    const temporary = await directoryOfLength(base.path, bytes, filler);
    await using directory = await openSessionDirectory({ temporaryDirectory: temporary, uid, repository });
    const path = join(directory.mount, 'lifeline.sock');
    const server = createServer().listen(path);
    await once(server, 'listening');
    expect((await stat(path)).isSocket()).toBe(true);
    server.close();
    await once(server, 'close');
  });

  it('B36: names limit and length in bytes when no directory is short enough', async () => {
    await using base = await temporaryDirectory();
    const long = await directoryOfLength(base.path, 150);
    const failure: unknown = await openSessionDirectory({
      temporaryDirectory: long,
      fallbackDirectory: long,
      uid,
      repository,
    }).catch((error: unknown) => error);
    expect(isLaunchError(failure, 'LAUNCH_NO_SESSION_DIRECTORY')).toBe(true);
    expect((failure as Error).message).toMatch(/107 bytes.*would have 19\d/);
    expect(await readdir(long)).toEqual([]);
  });

  it('S07: is never in the repository, where the agent could replace its sockets', async () => {
    await using base = await temporaryDirectory();
    await using elsewhere = await temporaryDirectory();
    const inside = join(base.path, 'tmp');
    await mkdir(inside);
    await symlink(inside, join(elsewhere.path, 'link'));
    const directories = {
      runtimeDirectory: inside,
      temporaryDirectory: join(elsewhere.path, 'link'),
      uid,
      repository: base.path,
    };
    await using directory = await openSessionDirectory({ ...directories, fallbackDirectory: elsewhere.path });
    expect(directory.path.startsWith(join(elsewhere.path, 'doompi-sandbox-'))).toBe(true);
    expect(await readdir(inside)).toEqual([]);
    await expect(openSessionDirectory({ ...directories, fallbackDirectory: base.path })).rejects.toThrow(/is in the repository/);
  });

  it('is not in a relative or impossible directory', async () => {
    await using base = await temporaryDirectory();
    const file = join(base.path, 'file');
    await writeFile(file, '');
    for (const odd of ['', 'relative', '.', file, join(file, 'x'), join(base.path, 'gone')]) {
      const options = { runtimeDirectory: odd, temporaryDirectory: odd, fallbackDirectory: base.path, uid, repository };
      await using directory = await openSessionDirectory(options);
      expect(directory.path.startsWith(join(base.path, 'doompi-sandbox-')), odd).toBe(true);
    }
  });
});

describe('the preview of a session directory', () => {
  it.each([[true], [false]])('is where the session would have it (runtime directory: %s), and makes nothing', async (runtime) => {
    await using base = await temporaryDirectory();
    await using temporary = await temporaryDirectory();
    const options = { ...(runtime ? { runtimeDirectory: base.path } : {}), temporaryDirectory: temporary.path, uid, repository };
    const preview = await previewSessionMount(options);
    expect([...(await readdir(base.path)), ...(await readdir(temporary.path))]).toEqual([]);
    await using directory = await openSessionDirectory(options);
    expect(preview).toMatch(/XXXXXX\/mount$/);
    expect(directory.mount).toMatch(new RegExp(`^${preview.replace('XXXXXX', '[A-Za-z0-9]{6}')}$`));
  });

  it('passes over a directory that others can enter, as the session does', async () => {
    await using base = await temporaryDirectory();
    await mkdir(join(base.path, 'doompi-sandbox'));
    await chmod(join(base.path, 'doompi-sandbox'), 0o755);
    await using temporary = await temporaryDirectory();
    const options = { runtimeDirectory: base.path, temporaryDirectory: temporary.path, uid, repository };
    expect(await previewSessionMount(options)).toBe(join(temporary.path, 'doompi-sandbox-XXXXXX/mount'));
  });

  it('is refused where the session is', async () => {
    await using base = await temporaryDirectory();
    const long = await directoryOfLength(base.path, 100);
    const options = { temporaryDirectory: long, fallbackDirectory: long, uid, repository };
    await expect(previewSessionMount(options)).rejects.toMatchObject({ code: 'LAUNCH_NO_SESSION_DIRECTORY' });
  });
});
