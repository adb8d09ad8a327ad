import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram, temporaryDirectory } from '@doompi-sandbox/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  attach,
  capture,
  type Engine,
  inspectImage,
  isEngineError,
  listContainers,
  removeContainer,
  removeVolume,
  runArguments,
  type RunSpec,
  traitsOf,
} from '../src/index.ts';
import { REAL_ENGINES, removeLabelled, runSpec, TEST_IMAGE } from './helpers/engine.ts';

const LABEL = 'doompi.sandbox.test';
const VALUE = `engine-${process.pid}`;

const spec = runSpec(`${LABEL}=${VALUE}`, { command: [] });

/** The engine with a server that is not there; podman, which has none, with a store that cannot be made. */
const broken = (engine: Engine): Engine => ({
  ...engine,
  environment: {
    ...engine.environment,
    DOCKER_HOST: 'unix:///nonexistent.sock',
    CONTAINERS_STORAGE_CONF: '/dev/null/storage.conf',
  },
});

for (const { name: engineName, skip, detect } of REAL_ENGINES)
  describe.skipIf(skip !== undefined)(`on real ${engineName}`, () => {
    let engine: Engine;

    const runOf = (part: Partial<RunSpec>): string[] => runArguments({ ...spec, ...part }, engine);

    beforeAll(async () => {
      engine = await detect();
    });
    afterAll(async () => {
      await removeLabelled(engine, `${LABEL}=${VALUE}`);
    });

    it.each([
      ['spaces', ' two  blanks '],
      ['colon', 'a:b'],
      ['comma', 'a,readonly'],
      ['double quote', 'a"b"'],
      ['single quote', "it's"],
      ['backslash', String.raw`a\b\\`],
      ['newline', 'a\nb'],
      ['carriage return and tab', 'a\rb\tc'],
      ['equals sign', 'a=b'],
      ['dollar and backquote', '$HOME `id`'],
      ['UTF-8', 'größe-日本-🦀'],
    ])('B05: reads and writes in a directory whose name holds %s', async (_, name) => {
      const root = await temporaryDirectory();
      onTestFinished(() => root.dispose());
      const directory = join(root.path, name);
      await mkdir(directory);
      await writeFile(join(directory, 'marker'), 'seen');
      const args = runOf({
        command: ['sh', '-c', 'cat marker; pwd; echo written > out'],
        mounts: [{ type: 'bind', source: directory, target: directory }],
        workdir: directory,
      });
      const { exitCode, stdout, stderr } = await capture(engine, args);
      expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: `seen${directory}\n`, stderr: '' });
      expect(await readFile(join(directory, 'out'), 'utf8')).toBe('written\n');
    });

    it('B20: values arrive byte for byte; empty stays empty and unset stays unset', async () => {
      const values = {
        TRICKY: 'a\nLD_PRELOAD=/x "q" \'s\' #h $HOME `id` \\n',
        TRAILING: '  blanks  \t\n',
        UTF8: 'größe-日本-🦀',
        EMPTY: '',
      };
      const args = runOf({
        command: ['node', '-p', 'JSON.stringify(process.env)'],
        environment: [...Object.keys(values), 'UNSET'],
      });
      const { stdout } = await capture(engine, args, { environment: values });
      const inside = JSON.parse(stdout) as Record<string, string>;
      expect(inside).toMatchObject(values);
      expect(inside).not.toHaveProperty('UNSET');
      expect(inside).not.toHaveProperty('LD_PRELOAD');
    });

    it("S14: a running client's argv holds names and no value", async () => {
      const secret = `sk-${process.pid}-never-in-argv`;
      const args = runOf({
        command: ['sh', '-c', 'printenv SECRET; cat'],
        interactive: true,
        environment: ['SECRET'],
      });
      const child = attach(engine, args, { environment: { SECRET: secret }, stdio: ['pipe', 'pipe', 'inherit'] });
      // The container has printed the value, so the client is the process that has been started with these arguments.
      const first: unknown = await new Promise((resolve) => child.stdout?.once('data', resolve));
      expect(String(first)).toBe(`${secret}\n`);
      const { stdout: processes } = await runProgram('ps', ['-eww', '-o', 'args']);
      expect(processes).toContain(`${LABEL}=${VALUE}`);
      expect(processes).not.toContain(secret);
      child.stdin?.end();
      expect(await child.exited).toEqual({ exitCode: 0 });
    });

    it('never pulls: an absent image fails the run', async () => {
      const { exitCode, stderr } = await capture(engine, runOf({ image: 'doompi-sandbox-absent:1' }));
      expect(exitCode).toBe(125);
      expect(stderr).toMatch(/no such image|image not known/i);
    });

    it('inspects an image; absence is undefined, anything else an error', async () => {
      const image = await inspectImage(engine, TEST_IMAGE);
      expect(image).toMatchObject({
        platform: engine.platform,
        references: expect.arrayContaining([`${traitsOf(engine).localImagePrefix}${TEST_IMAGE}`]) as string[],
      });
      expect(image?.id).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(await inspectImage(engine, 'doompi-sandbox-absent:1')).toBeUndefined();
      const gone = broken(engine);
      await expect(inspectImage(gone, TEST_IMAGE)).rejects.toMatchObject({ code: 'ENGINE_COMMAND_FAILED' });
    });

    it('lists containers by label with labels that hold commas, and removes one once', async () => {
      const odd = 'a=b,c="d"\n,e';
      const labels = { [LABEL]: VALUE, odd };
      const create = runOf({ labels, command: ['true'] }).toSpliced(0, 1, 'create');
      const id = (await capture(engine, create)).stdout.trim();
      const found = await listContainers(engine, { labels: { [LABEL]: VALUE, odd: true } });
      expect(found).toMatchObject([{ id, state: 'created', image: `${traitsOf(engine).localImagePrefix}${TEST_IMAGE}`, labels }]);
      expect(Number.isNaN(Date.parse(found[0]?.createdAt ?? ''))).toBe(false);
      expect(await listContainers(engine, { labels: { odd } })).toHaveLength(1);
      expect(await listContainers(engine, { labels: { odd: `${odd}x` } })).toEqual([]);
      expect(await listContainers(engine, { labels: { [LABEL]: 'another' } })).toEqual([]);
      expect(await removeContainer(engine, id)).toBe(true);
      expect(await removeContainer(engine, id)).toBe(false);
      expect(await listContainers(engine, { labels: { odd: true, [LABEL]: VALUE } })).toEqual([]);
    });

    it('throws rather than listing nothing when the engine cannot tell', async () => {
      const gone = broken(engine);
      await expect(listContainers(gone, { labels: {} })).rejects.toSatisfy((error) =>
        isEngineError(error, 'ENGINE_COMMAND_FAILED'),
      );
      await expect(removeContainer(gone, 'x')).rejects.toSatisfy((error) => isEngineError(error, 'ENGINE_COMMAND_FAILED'));
      await expect(removeVolume(gone, 'x')).rejects.toSatisfy((error) => isEngineError(error, 'ENGINE_COMMAND_FAILED'));
    });

    it('removes a volume once, and not while a container uses it', async () => {
      const name = `doompi-sandbox-test-${process.pid}`;
      await capture(engine, ['volume', 'create', '--label', `${LABEL}=${VALUE}`, name]);
      const create = runOf({
        mounts: [{ type: 'volume', source: name, target: '/v' }],
        command: ['true'],
      }).toSpliced(0, 1, 'create');
      const id = (await capture(engine, create)).stdout.trim();
      await expect(removeVolume(engine, name)).rejects.toMatchObject({ code: 'ENGINE_COMMAND_FAILED' });
      await removeContainer(engine, id);
      expect(await removeVolume(engine, name)).toBe(true);
      expect(await removeVolume(engine, name)).toBe(false);
    });

    it('two removals at once of a running container both end, and it is gone', async () => {
      const run = runOf({ command: ['sleep', '60'] }).toSpliced(1, 0, '--detach');
      const id = (await capture(engine, run)).stdout.trim();
      const answers = await Promise.all([removeContainer(engine, id), removeContainer(engine, id)]);
      expect(answers).toContain(true);
      expect(await listContainers(engine, { labels: { [LABEL]: VALUE } })).toEqual([]);
    });
  });
