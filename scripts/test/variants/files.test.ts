import { access, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { engineVariant, temporaryDirectory } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { optionValue } from '../../setup/option.mjs';
import { emptyAfterBoot } from '../../setup/variants/boot.mjs';
import { writeRecord, type Variant } from '../../setup/variants/record.mjs';
import { asTestUser, freeRange, hasRange } from '../../setup/variants/user.mjs';

describe('the runtime directory', () => {
  it('is emptied once after each boot, and traversable by other users', async () => {
    await using directory = await temporaryDirectory();
    const run = join(directory.path, 'run');
    const pid = join(run, 'engine/docker.pid');
    emptyAfterBoot(run, 'boot 1');
    expect((await stat(run)).mode & 0o777).toBe(0o711);
    await mkdir(join(run, 'engine'));
    await writeFile(pid, '7');
    emptyAfterBoot(run, 'boot 1');
    await access(pid);
    emptyAfterBoot(run, 'boot 2');
    await expect(access(pid)).rejects.toThrow('ENOENT');
  });
});

describe('the record', () => {
  it('is written for testkit, in place of the last one', async () => {
    await using root = await temporaryDirectory();
    const variant: Variant = { id: 'podman', engine: 'podman', environment: { CONTAINERS_CONF: '/x' } };
    const file = join(root.path, '.state/engines.json');
    writeRecord(root.path, []);
    writeRecord(root.path, [variant]);
    expect(await engineVariant('podman', { file, env: {} })).toMatchObject(variant);
    expect(await engineVariant('docker', { file, env: {} })).toContain('set-up did not prepare');
  });
});

describe('subordinate ids', () => {
  const text = 'alice:100000:65536\nbob:165536:1000\n';

  it('fit an image or do not', () => {
    expect(hasRange(text, 'alice')).toBe(true);
    expect(hasRange(text, 'bob')).toBe(false);
    expect(hasRange(text, 'ali')).toBe(false);
    expect(hasRange('', 'alice')).toBe(false);
  });

  it('are given after all that others have', () => {
    expect(freeRange(text, 'carol:300000:65536')).toBe(365_536);
    expect(freeRange('', 'broken')).toBe(100_000);
  });
});

describe('a program of the test user', () => {
  it('gets nothing of the environment of set-up', () => {
    const user = { name: 'u', uid: 1, gid: 2, home: '/home/u' };
    expect(asTestUser(user, '/bin', ['podman', 'ps']).join(' ')).toBe(
      'setpriv --reuid=1 --regid=2 --init-groups -- env -i PATH=/bin HOME=/home/u USER=u LOGNAME=u XDG_RUNTIME_DIR=/run/doompi-sandbox-test/user podman ps',
    );
  });
});

describe('an option of the command after set-up', () => {
  it.each<readonly [readonly string[], string | undefined]>([
    [['--json', '--engine', 'podman'], 'podman'],
    [['--engine=docker', '--engine=podman'], 'podman'],
    [['--engines', 'x'], undefined],
    [['--engine'], undefined],
    [[], undefined],
  ])('is read from %j', (args, expected) => {
    expect(optionValue(args, 'engine')).toBe(expected);
  });
});
