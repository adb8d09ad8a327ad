import { stubPrograms } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { ensureImage, ensureRuns } from '../../setup/variants/images.mjs';
import { testContext } from '../context.ts';

/** A docker with the image, and a podman with or without it; `load` keeps what it gets. */
const engines = (podmanHas: string): Record<string, string> => ({
  docker: 'case "$1" in image) echo sha256:abc ;; save) printf "image of $2" ;; esac',
  podman: `case "$1" in image) ${podmanHas} ;; load) read -r line || :; test "$line" = "image of base:1" ;; esac`,
  bash: '#!/bin/sh\nexec /bin/bash "$@"',
  env: '#!/bin/sh\nexec /usr/bin/env "$@"',
});

const podman = { argv: ['podman'], env: {} };

describe('an image in another engine', () => {
  it('is left alone when the same one is there', async () => {
    await using stubs = await stubPrograms(engines('echo abc'));
    expect(await ensureImage(testContext(stubs.path), 'podman', podman, 'base:1')).toBe(false);
    expect((await stubs.calls('podman')).map(([first]) => first)).toEqual(['image']);
  });

  it.each(['echo other', 'exit 1'])('is brought through a pipe when it is not (%s)', async (has) => {
    await using stubs = await stubPrograms(engines(has));
    const context = testContext(stubs.path);
    expect(await ensureImage(context, 'podman', podman, 'base:1')).toBe(true);
    expect(await stubs.calls('podman')).toEqual([['image', 'inspect', '--format', '{{.Id}}', 'base:1'], ['load']]);
    expect(context.lines).toEqual(['podman: loading base:1']);
  });

  it('is a failure when docker cannot save it, though the other side ends well', async () => {
    const programs = {
      ...engines('exit 1'),
      docker: 'case "$1" in image) echo sha256:abc ;; save) echo "disk full" >&2; exit 1 ;; esac',
      podman: 'case "$1" in image) exit 1 ;; esac',
    };
    await using stubs = await stubPrograms(programs);
    await expect(ensureImage(testContext(stubs.path), 'podman', podman, 'base:1')).rejects.toMatchObject({
      message: 'base:1 cannot be loaded into podman',
      why: 'disk full',
    });
  });
});

describe('an engine', () => {
  it('is one only when a container runs', async () => {
    await using stubs = await stubPrograms({ podman: 'echo "no runtime" >&2; exit 125' });
    await expect(ensureRuns(testContext(stubs.path), podman, 'base:1')).rejects.toMatchObject({ why: 'no runtime' });
    await using silent = await stubPrograms({ podman: 'exit 0' });
    await expect(ensureRuns(testContext(silent.path), podman, 'base:1')).rejects.toThrow('No container starts');
  });
});
