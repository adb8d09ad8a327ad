import { describe, expect, it } from 'vitest';
import {
  buildImage,
  capture,
  createVolume,
  detectEngine,
  type Engine,
  execArguments,
  inspectImage,
  inspectVolumes,
  listContainers,
  removeContainer,
  removeVolume,
  runArguments,
  type RunSpec,
} from '../src/index.ts';
import { FINCH, NERDCTL, print } from './helpers/detection.ts';
import { documentedCli } from './helpers/documented-cli.ts';

/** As much as a session asks for. */
const spec: RunSpec = {
  image: 'image:tag',
  command: ['pi', '-p', 'hello'],
  interactive: true,
  tty: true,
  labels: { 'a.b': 'c=d,e' },
  mounts: [
    { type: 'bind', source: '/a,b', target: '/a,b', readOnly: true },
    { type: 'volume', source: 'home', target: '/home' },
    { type: 'tmpfs', target: '/tmp', options: 'exec,mode=1777' },
  ],
  environment: ['TERM', 'HTTPS_PROXY'],
  workdir: '/repo',
  user: { uid: 1000, gid: 100 },
  runtime: 'io.containerd.runsc.v1',
  addHosts: [{ name: 'h', address: 'host-gateway' }],
  name: 'n',
  network: 'none',
  cidFile: '/c',
  pull: 'never',
  publish: [{ hostIp: '127.0.0.1', hostPort: 1, containerPort: 2 }],
  dropCapabilities: ['ALL'],
  securityOptions: ['no-new-privileges'],
  readOnlyRoot: true,
};

const containers = (labels: object): string =>
  print(
    JSON.stringify([
      {
        Id: 'f'.repeat(64),
        Name: 'n',
        Image: 'image:tag',
        Created: '2026-01-01T00:00:00Z',
        State: { Status: 'running' },
        Config: { Labels: labels },
      },
    ]),
  );

for (const name of ['nerdctl', 'finch'] as const) {
  const version = print(name === 'nerdctl' ? JSON.stringify(NERDCTL) : FINCH);
  const engineWith = async (scripts: Readonly<Record<string, string>> = {}): Promise<Engine> => {
    const { stubs } = await documentedCli(name, { version, ...scripts });
    return detectEngine({ environment: { PATH: `${stubs.path}:/usr/bin:/bin` }, override: name, uid: 0 });
  };

  describe(`${name}, with the options that its documentation lists`, () => {
    it('the stand-in refuses what is not listed, as the real one does', async () => {
      const engine = await engineWith();
      for (const args of [
        ['run', '--userns', 'host', 'i'],
        ['build', '--load', '.'],
        ['image', 'inspect', '--size', 'i'],
        ['no', 'command'],
      ])
        expect((await capture(engine, args)).exitCode).toBe(1);
    });

    it('takes every option of a run, and of an exec', async () => {
      const engine = await engineWith({ run: 'echo "$@"', exec: 'echo "$@"' });
      expect(await capture(engine, runArguments(spec, engine))).toEqual({
        exitCode: 0,
        stdout: 'image:tag pi -p hello\n',
        stderr: '',
      });
      const args = execArguments({
        container: 'n',
        command: ['node', '-e', '1'],
        environment: ['A'],
        workdir: '/',
        user: { uid: 0, gid: 0 },
      });
      expect(await capture(engine, args)).toEqual({ exitCode: 0, stdout: 'n node -e 1\n', stderr: '' });
    });

    it('builds with its one builder', async () => {
      const engine = await engineWith({ build: 'echo "context $1, $WORD"' });
      const lines: string[] = [];
      await buildImage(engine, {
        context: '/c',
        containerfile: '/c/F',
        tag: 't',
        labels: { a: 'b' },
        buildArguments: { WORD: 'hello' },
        builder: 'default',
        onOutput: (line) => lines.push(line),
      });
      expect(lines).toEqual(['context /c, hello']);
    });

    it('tells an image that is not there by an empty answer, and a failure by its log', async () => {
      expect(await inspectImage(await engineWith(), 'absent:1')).toBeUndefined();
      const broken = await engineWith({ 'image inspect': `echo 'level=error msg="failure calling inspect"' >&2` });
      await expect(inspectImage(broken, 'i')).rejects.toMatchObject({ code: 'ENGINE_COMMAND_FAILED' });
      const down = await engineWith({ 'image inspect': 'echo "cannot access containerd socket" >&2; exit 1' });
      await expect(inspectImage(down, 'i')).rejects.toMatchObject({ code: 'ENGINE_COMMAND_FAILED' });
      const image = {
        Id: `sha256:${'a'.repeat(64)}`,
        RepoTags: ['i:1'],
        Os: 'linux',
        Architecture: 'amd64',
        Config: { Labels: { a: 'b' } },
        Size: 3,
      };
      const there = await engineWith({ 'image inspect': print(JSON.stringify([image])) });
      expect(await inspectImage(there, 'i:1')).toMatchObject({
        id: image.Id,
        references: ['i:1'],
        labels: { a: 'b' },
        sizeBytes: 3,
      });
    });

    it('lists containers, whose image is where docker has an id', async () => {
      const engine = await engineWith({ 'container ls': 'echo ffffffffffff', 'container inspect': containers({ odd: 'a,b' }) });
      expect(await listContainers(engine, { labels: { odd: 'a,b' } })).toMatchObject([
        { name: 'n', image: 'image:tag', state: 'running' },
      ]);
      expect(await listContainers(engine, { labels: { odd: 'a' } })).toEqual([]);
    });

    it('a removal that failed is a failure, although its status is 0', async () => {
      expect(await removeContainer(await engineWith({ 'container rm': 'echo "$1"' }), 'n')).toBe(true);
      expect(await removeContainer(await engineWith(), 'n')).toBe(false);
      // It goes on to be listed under its name.
      const stuck = await engineWith({ 'container rm': 'echo "level=error" >&2', 'container ls': `echo "${'f'.repeat(64)} n"` });
      await expect(removeContainer(stuck, 'n', { removalMs: 300 })).rejects.toMatchObject({ code: 'ENGINE_COMMAND_FAILED' });
    }, 20_000);

    it('creates, tells and removes volumes', async () => {
      const volume = print('[{"Name":"v","Labels":{"a":"b"}}]');
      const engine = await engineWith({
        'volume ls': 'echo v',
        'volume inspect': volume,
        'volume rm': 'echo v',
        'volume create': 'echo v',
      });
      await createVolume(engine, { name: 'v', labels: { a: 'b' } });
      expect(await inspectVolumes(engine, ['gone', 'v'])).toEqual([{ name: 'v', labels: { a: 'b' }, createdAt: '' }]);
      expect(await removeVolume(engine, 'v')).toBe(true);
      expect(await removeVolume(engine, 'gone')).toBe(false);
    });
  });
}
