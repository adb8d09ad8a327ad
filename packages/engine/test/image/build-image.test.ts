import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stubPrograms, temporaryDirectory } from '@doompi-sandbox/testkit';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildArguments } from '../../src/image/build-image.ts';
import { type Builder, buildImage, type BuildImageOptions, inspectImage, listContainers, traitsOf } from '../../src/index.ts';
import { REAL_ENGINES, removeLabelled, stubEngine, TEST_IMAGE } from '../helpers/engine.ts';

const LABEL = 'doompi.sandbox.test';
const VALUE = `engine-build-${process.pid}`;

const options = (context: string, builder: BuildImageOptions['builder'] = 'legacy'): BuildImageOptions => ({
  context,
  tag: `doompi-sandbox-test:${VALUE}`,
  labels: { [LABEL]: VALUE },
  buildArguments: {},
  builder,
});

const stub = async (script: string): Promise<ReturnType<typeof stubEngine>> => {
  const stubs = await stubPrograms({ docker: script });
  onTestFinished(() => stubs.dispose());
  return stubEngine(join(stubs.directory, 'docker'), { PATH: '/usr/bin:/bin' });
};

describe('buildImage', () => {
  it('streams lines of both streams, and fails with the last ones', async () => {
    const engine = await stub('echo one; echo "no newline at the end" | tr -d "\\n" >&2; exit 7');
    const lines: string[] = [];
    const building = buildImage(engine, { ...options('/c'), onOutput: (line, stream) => lines.push(`${stream}: ${line}`) });
    await expect(building).rejects.toMatchObject({ code: 'ENGINE_BUILD_FAILED', details: { exitCode: 7 } });
    expect(lines.toSorted()).toEqual(['stderr: no newline at the end', 'stdout: one']);
    await expect(building).rejects.toMatchObject({ details: { lastLines: expect.arrayContaining(['one']) as string[] } });
  });

  it.each<[Builder | 'default', string]>([
    ['legacy', '0'],
    ['buildkit', '1'],
    ['default', '0'],
  ])('%s: tells the command its builder', async (builder, expected) => {
    const engine = await stub('case "$1" in buildx) exit 1 ;; *) echo "$DOCKER_BUILDKIT" ;; esac');
    const lines: string[] = [];
    await buildImage(engine, { ...options('/c', builder), onOutput: (line) => lines.push(line) });
    expect(lines).toEqual([expected]);
  });

  it.each([
    [{}, []],
    [{ pull: true }, ['--pull']],
    [{ noCache: true }, ['--no-cache']],
    [{ pull: true, noCache: true }, ['--pull', '--no-cache']],
  ])('%j is told to the builder', (freshness, expected) => {
    const args = buildArguments({ ...options('/c'), ...freshness }, 'legacy');
    expect(args.filter((argument) => /^--(?:pull|no-cache)$/.test(argument))).toEqual(expected);
  });

  it("stops at the signal, with the signal's reason", async () => {
    const engine = await stub('echo started; exec sleep 60');
    const controller = new AbortController();
    const reason = new Error('enough');
    const onOutput = (): void => controller.abort(reason);
    await expect(buildImage(engine, { ...options('/c'), signal: controller.signal, onOutput })).rejects.toBe(reason);
  });

  it('a build argument cannot change what the client talks to', async () => {
    const building = buildImage(await stub('exit 0'), { ...options('/c'), buildArguments: { DOCKER_HOST: 'tcp://elsewhere' } });
    await expect(building).rejects.toThrow(TypeError);
  });

  it('podman and nerdctl have one builder, and no switch for it', async () => {
    const engine = await stub('echo "${DOCKER_BUILDKIT-unset}"; echo "$@"');
    for (const [name, options_] of [
      ['podman', ''],
      ['nerdctl', '--progress plain '],
    ] as const) {
      const lines: string[] = [];
      await buildImage({ ...engine, name }, { ...options('/c', 'default'), onOutput: (line) => lines.push(line) });
      expect(lines).toEqual(['unset', `build --tag doompi-sandbox-test:${VALUE} --label ${LABEL}=${VALUE} ${options_}/c`]);
    }
  });

  for (const { name, skip, detect } of REAL_ENGINES)
    describe.skipIf(skip !== undefined)(`on real ${name}`, () => {
      afterAll(async () => {
        const engine = await detect();
        await removeLabelled(engine, `${LABEL}=${VALUE}`);
        await removeLabelled(engine, `${LABEL}=${VALUE}-failed`);
      });

      it('builds with a private build argument and labels', async () => {
        const engine = await detect();
        const context = await temporaryDirectory();
        onTestFinished(() => context.dispose());
        const words = `FROM ${TEST_IMAGE}\nARG WORD\nRUN echo "word: $WORD"\n`;
        await writeFile(join(context.path, 'Containerfile'), words);
        const lines: string[] = [];
        await buildImage(engine, {
          ...options(context.path, 'default'),
          containerfile: join(context.path, 'Containerfile'),
          buildArguments: { WORD: 'hello' },
          onOutput: (line) => lines.push(line),
        });
        expect(lines.join('\n')).toContain('word: hello');
        const image = await inspectImage(engine, `doompi-sandbox-test:${VALUE}`);
        expect(image?.labels).toMatchObject({ [LABEL]: VALUE });
        expect(image?.references).toEqual([`${traitsOf(engine).localImagePrefix}doompi-sandbox-test:${VALUE}`]);
      });

      it('leaves no container of a step that failed', async () => {
        const engine = await detect();
        const context = await temporaryDirectory();
        onTestFinished(() => context.dispose());
        await writeFile(join(context.path, 'Dockerfile'), `FROM ${TEST_IMAGE}\nLABEL ${LABEL}=${VALUE}-failed\nRUN exit 3\n`);
        const building = buildImage(engine, options(context.path, 'default'));
        await expect(building).rejects.toMatchObject({ code: 'ENGINE_BUILD_FAILED' });
        expect(await listContainers(engine, { labels: { [LABEL]: `${VALUE}-failed` } })).toEqual([]);
      });
    });
});
