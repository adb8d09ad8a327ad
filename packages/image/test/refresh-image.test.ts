import { readdir } from 'node:fs/promises';
import { capture, detectEngine, type Engine, inspectImage } from '@doompi-sandbox/engine';
import { dockerGate, removeByLabel, temporaryDirectory, type TemporaryDirectory } from '@doompi-sandbox/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ensureImage, type ImageDefinition, type ImageProgress, refreshImage } from '../src/index.ts';
import { type Registry, startRegistry } from './helpers/registry.ts';
import { stubDocker, tinyDefinition } from './helpers/stub-docker.ts';

const LABEL = 'doompi.sandbox.test';
const VALUE = `image-refresh-${process.pid}`;

const skip = await dockerGate();
if (skip !== undefined) console.warn(`skipped: ${skip}`);

describe('refreshImage', () => {
  it('asks the builder to pull and to forget, and says each step', async () => {
    const docker = await stubDocker(': > "$image"');
    onTestFinished(() => docker[Symbol.asyncDispose]());
    await using locks = await temporaryDirectory();
    const steps: ImageProgress[] = [];
    const result = await refreshImage(docker.engine, tinyDefinition, {
      lockDirectory: locks.path,
      onProgress: (step) => steps.push(step),
    });
    expect(result).toEqual({ reference: tinyDefinition.reference, id: 'sha256:stub', replaced: undefined });
    expect(steps).toMatchObject([{ step: 'pulling', baseImage: 'base:1' }, { step: 'building', fresh: true }, { step: 'built' }]);
    const [build = []] = await docker.builds();
    expect(build).toEqual(expect.arrayContaining(['--pull', '--no-cache']));
    expect(await readdir(locks.path)).toEqual([]);
  });

  it('a plain build does neither', async () => {
    const docker = await stubDocker(': > "$image"');
    onTestFinished(() => docker[Symbol.asyncDispose]());
    await using locks = await temporaryDirectory();
    await ensureImage(docker.engine, tinyDefinition, { lockDirectory: locks.path });
    const [build = []] = await docker.builds();
    expect(build.filter((argument) => /pull|cache/.test(argument))).toEqual([]);
  });
});

describe.skipIf(skip !== undefined)('refreshImage on real docker', () => {
  let engine: Engine;
  let registry: Registry;
  let locks: TemporaryDirectory;
  let definition: ImageDefinition;

  const idOf = async (): Promise<string | undefined> => (await inspectImage(engine, definition.reference))?.id;
  const docker = async (...args: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await capture(engine, args);
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  /** Content of `/release` in the image, which has no program to print it. */
  const release = async (): Promise<string> => {
    const container = await docker('create', '--label', `${LABEL}=${VALUE}`, definition.reference, 'none');
    try {
      return (await docker('cp', `${container}:/release`, '-')).replaceAll(/[^\x20-\x7e]/g, '');
    } finally {
      await docker('rm', container);
    }
  };

  beforeAll(async () => {
    engine = await detectEngine({ environment: process.env, override: 'docker' });
    registry = await startRegistry(engine.platform.architecture);
    await registry.publish('release-one');
    locks = await temporaryDirectory();
    const { reference: baseImage } = registry;
    definition = {
      ...tinyDefinition,
      baseImage,
      containerfile: `FROM ${baseImage}\nCOPY root/ /opt/\n`,
      labels: { [LABEL]: VALUE },
      reference: `doompi-sandbox-test:${VALUE}`,
    };
    await ensureImage(engine, definition, { lockDirectory: locks.path });
  });

  afterAll(async () => {
    await removeByLabel(`${LABEL}=${VALUE}`);
    await capture(engine, ['image', 'rm', '--force', registry.reference]);
    await registry[Symbol.asyncDispose]();
    await locks.dispose();
  });

  it('takes the newest base image; the one that it replaces is gone', async () => {
    const before = await idOf();
    expect(await release()).toContain('release-one');
    await registry.publish('release-two');
    const refreshed = await refreshImage(engine, definition, { lockDirectory: locks.path });
    expect(refreshed.replaced).toEqual({ id: before, removed: true });
    expect(await idOf()).toBe(refreshed.id);
    expect(await release()).toContain('release-two');
    expect(await inspectImage(engine, before ?? '')).toBeUndefined();
  });

  it.each([
    ['a container', async (id: string) => docker('create', '--label', `${LABEL}=${VALUE}`, id, 'none')],
    ['another tag', async (id: string) => docker('tag', id, `doompi-sandbox-test:${VALUE}-kept`)],
  ])('one that %s uses stays', async (_, use) => {
    const before = (await idOf()) ?? '';
    await use(before);
    const refreshed = await refreshImage(engine, definition, { lockDirectory: locks.path });
    expect(refreshed.replaced).toEqual({ id: before, removed: false });
    expect((await inspectImage(engine, before))?.id).toBe(before);
  });

  it('a failed build leaves the image that was there', async () => {
    const before = await idOf();
    const broken = { ...definition, containerfile: `${definition.containerfile}COPY nothing /\n` };
    const refreshing = refreshImage(engine, broken, { lockDirectory: locks.path });
    await expect(refreshing).rejects.toMatchObject({ code: 'IMAGE_BUILD_FAILED' });
    expect(await idOf()).toBe(before);
  });

  it('a base image without a registry is an error that keeps the image; without a pull it is rebuilt', async () => {
    const before = await idOf();
    await docker('tag', registry.reference, `127.0.0.1:1/base:${VALUE}`);
    onTestFinished(async () => void (await docker('image', 'rm', `127.0.0.1:1/base:${VALUE}`)));
    const baseImage = `127.0.0.1:1/base:${VALUE}`;
    const local = { ...definition, baseImage, containerfile: `FROM ${baseImage}\nCOPY root/ /opt/\n` };
    const refreshing = refreshImage(engine, local, { lockDirectory: locks.path });
    await expect(refreshing).rejects.toMatchObject({
      code: 'IMAGE_PULL_FAILED',
      details: { baseImage, basePresent: true, stderr: expect.stringContaining('refused') as string },
    });
    await expect(refreshing).rejects.toThrow(/--no-pull/);
    expect(await idOf()).toBe(before);
    const { id } = await refreshImage(engine, local, { lockDirectory: locks.path, pull: false });
    expect(id).not.toBe(before);
    expect(await idOf()).toBe(id);
  });
});
