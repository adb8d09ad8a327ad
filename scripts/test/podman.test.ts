import { stubPrograms, temporaryDirectory } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { ensurePodman } from '../setup/engine/podman.mjs';
import { testContext } from './context.ts';

describe('podman for a demo', () => {
  it('is used as it is, with the base image in it', async () => {
    await using stubs = await stubPrograms({ podman: 'echo abc' });
    await using root = await temporaryDirectory();
    const context = testContext(stubs.path, {}, root.path);
    await ensurePodman(context);
    expect(context.lines).toEqual(['skip engine: podman is there', 'skip base image: node:24-bookworm-slim is there']);
    expect(context.asked).toEqual([]);
  });

  it('gets the base image itself, without docker', async () => {
    await using stubs = await stubPrograms({ podman: 'case "$1" in image) exit 125 ;; pull) exit 0 ;; *) exit 9 ;; esac' });
    await using root = await temporaryDirectory();
    const context = testContext(stubs.path, {}, root.path);
    await ensurePodman(context);
    expect(context.lines.at(-1)).toBe('base image: node:24-bookworm-slim pulled');
  });
});
