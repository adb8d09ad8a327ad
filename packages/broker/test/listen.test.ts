import { chmod, mkdir, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isBrokerError, startBroker, type Broker } from '../src/index.ts';
import { privateDirectory } from './support/broker.ts';
import { connectRaw } from './support/client.ts';

const start = async (path: string): Promise<Broker> => {
  const broker = await startBroker({ listen: { transport: 'unix', path } });
  onTestFinished(() => broker.close());
  return broker;
};

/** A path of exactly that many bytes, its directories made. */
const pathOfBytes = async (bytes: number, letter: string): Promise<string> => {
  const parent = await privateDirectory();
  const width = Buffer.byteLength(letter);
  const room = bytes - Buffer.byteLength(parent) - '/'.length - '/s'.length;
  const name = letter.repeat(Math.floor(room / width)) + 'x'.repeat(room % width);
  const directory = join(parent, name);
  await mkdir(directory, { mode: 0o700 });
  return join(directory, 's');
};

describe('socket path', () => {
  it.each([
    [80, 'a'],
    [107, 'a'],
    [107, 'é'],
    [106, '家'],
  ])('B36: %i bytes of %s work', async (bytes, letter) => {
    const path = await pathOfBytes(bytes, letter);
    expect(Buffer.byteLength(path)).toBe(bytes);
    const broker = await start(path);
    await connectRaw(path);
    expect(broker.endpoint).toEqual({ transport: 'unix', path });
  });

  it.each([
    [108, 'a'],
    [120, 'é'],
    [200, '家'],
  ])('B36: %i bytes of %s are refused with limit and length in bytes, and leave no socket', async (bytes, letter) => {
    const path = await pathOfBytes(bytes, letter);
    const error: unknown = await start(path).catch((reason: unknown) => reason);
    expect(isBrokerError(error, 'BROKER_SOCKET_PATH_TOO_LONG') && error.details).toEqual({ path, length: bytes, limit: 107 });
    expect(String(error)).toMatch(new RegExp(`${bytes} bytes[^]*107`));
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('socket directory', () => {
  it('S12: listens on a socket of mode 0600 in a directory of mode 0700', async () => {
    const path = join(await privateDirectory(), 's');
    await start(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it.each(['755', '770', '701'])('S12: refuses a directory of mode %s', async (mode) => {
    const directory = await privateDirectory();
    await chmod(directory, Number.parseInt(mode, 8));
    await expect(start(join(directory, 's'))).rejects.toMatchObject({ code: 'BROKER_SOCKET_DIRECTORY_UNSAFE' });
  });

  it('S12: refuses a directory that is missing, no directory, or a symbolic link', async () => {
    const directory = await privateDirectory();
    await symlink(directory, join(directory, 'link'));
    await writeFile(join(directory, 'file'), '');
    for (const name of ['missing', 'file', 'link'])
      await expect(start(join(directory, name, 's'))).rejects.toMatchObject({
        code: 'BROKER_SOCKET_DIRECTORY_UNSAFE',
        details: { directory: join(directory, name) },
      });
  });

  it('replaces the socket that a killed broker left', async () => {
    const directory = await privateDirectory();
    const path = join(directory, 's');
    // Closing a listener removes its own path; under another name the socket stays, as after SIGKILL.
    const left = createServer().listen(join(directory, 'first'));
    await once(left, 'listening');
    await rename(join(directory, 'first'), path);
    await new Promise((resolve) => left.close(resolve));
    expect((await stat(path)).isSocket()).toBe(true);
    await start(path);
    await connectRaw(path);
  });

  it('does not replace a socket in use, or what is no socket', async () => {
    const path = join(await privateDirectory(), 's');
    const first = await start(path);
    await expect(start(path)).rejects.toMatchObject({ code: 'BROKER_SOCKET_PATH_TAKEN' });
    await connectRaw(path);
    await first.close();
    await writeFile(path, 'precious');
    await expect(start(path)).rejects.toMatchObject({ code: 'BROKER_SOCKET_PATH_TAKEN' });
  });

  it.each(['relative/s', '', '/a\0b', 7])('refuses the path %j, naming the option', async (path) => {
    await expect(start(path as string)).rejects.toThrow(/listen\.path must be an absolute path/);
  });
});
