import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stubPrograms, temporaryDirectory } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { ensureBaseImage } from '../setup/image/ensure.mjs';
import { testContext } from './context.ts';

/** A docker without the image, whose `pull` does as told. */
const dockerThatPulls = (pull: string): Record<string, string> => ({
  docker: `case "$1" in image) echo "No such image" >&2; exit 1 ;; pull) ${pull} ;; *) exit 9 ;; esac`,
});

const NO_REGISTRY =
  'echo "Error response from daemon: Get https://registry: dial tcp: lookup registry: no such host" >&2; exit 1';

describe('the base image', () => {
  it('is not pulled when it is there', async () => {
    await using stubs = await stubPrograms({ docker: 'echo sha256:1' });
    const context = testContext(stubs.path);
    await ensureBaseImage(context);
    expect(context.lines).toEqual(['skip base image: node:24-bookworm-slim is there']);
    expect(await stubs.calls('docker')).toHaveLength(1);
  });

  it('is pulled when it is not', async () => {
    await using stubs = await stubPrograms(dockerThatPulls('echo "a: Pulling fs layer"; exit 0'));
    const context = testContext(stubs.path);
    await ensureBaseImage(context);
    expect(context.lines.at(-1)).toBe('base image: node:24-bookworm-slim pulled');
  });

  it('is never replaced when a registry answered', async () => {
    await using stubs = await stubPrograms(dockerThatPulls('echo "toomanyrequests: rate limit" >&2; exit 1'));
    const context = testContext(stubs.path);
    await expect(ensureBaseImage(context)).rejects.toMatchObject({ why: expect.stringContaining('toomanyrequests') as unknown });
    expect(context.asked).toEqual([]);
  });

  it('is never replaced when the person named it', async () => {
    await using stubs = await stubPrograms(dockerThatPulls(NO_REGISTRY));
    const context = testContext(stubs.path, { DOOMPI_SANDBOX_BASE_IMAGE: 'mine:1' });
    await expect(ensureBaseImage(context)).rejects.toThrow('The base image mine:1 cannot be pulled');
    expect((await stubs.calls('docker')).at(-1)).toEqual(['pull', 'mine:1']);
  });

  it('gets a stand-in that says so where no registry answers', async () => {
    await using stubs = await stubPrograms({
      ...dockerThatPulls(NO_REGISTRY),
      mmdebstrap: 'exit 3',
      npm: 'echo "no npm registry" >&2; exit 1',
    });
    await using root = await temporaryDirectory();
    await writeFile(join(root.path, 'package.json'), '{"devDependencies":{"node":"24.21.0"}}');
    const context = testContext(stubs.path, {}, root.path);
    await expect(ensureBaseImage(context)).rejects.toMatchObject({
      message: expect.stringContaining('npm pack') as unknown,
      why: expect.stringContaining('no npm registry') as unknown,
    });
    expect(context.lines.join('\n')).toMatch(/STAND-IN named node:24-bookworm-slim/);
  });
});
