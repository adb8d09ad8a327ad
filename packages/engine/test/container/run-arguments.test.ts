import { describe, expect, it } from 'vitest';
import { runArguments, type EngineKind, type RunSpec } from '../../src/index.ts';

const DOCKER: EngineKind = { name: 'docker', clientVersion: '28.2.2', rootless: false, usernsRemap: false };

const minimal: RunSpec = {
  image: 'image:tag',
  command: ['pi', '-p', 'hello'],
  interactive: false,
  tty: false,
  labels: {},
  mounts: [],
  environment: [],
  workdir: '/repo',
  pull: 'never',
};

describe('runArguments', () => {
  it('runs an image that is there, and removes the container', () => {
    expect(runArguments(minimal, DOCKER)).toEqual([
      'run',
      '--rm',
      '--pull',
      'never',
      '--workdir',
      '/repo',
      'image:tag',
      'pi',
      '-p',
      'hello',
    ]);
  });

  it.each<[string, Partial<RunSpec>, string[]]>([
    ['interactive', { interactive: true }, ['--interactive']],
    ['tty', { tty: true }, ['--tty']],
    ['name', { name: 'n' }, ['--name', 'n']],
    ['cidFile', { cidFile: '/c' }, ['--cidfile', '/c']],
    ['labels', { labels: { 'a.b': 'c=d,e', f: '' } }, ['--label', 'a.b=c=d,e', '--label', 'f=']],
    ['mounts', { mounts: [{ type: 'bind', source: '/a', target: '/b' }] }, ['--mount', 'type=bind,source=/a,target=/b']],
    ['network', { network: 'none' }, ['--network', 'none']],
    ['publish', { publish: [{ hostIp: '127.0.0.1', hostPort: 1, containerPort: 2 }] }, ['--publish', '127.0.0.1:1:2']],
    ['dropCapabilities', { dropCapabilities: ['ALL'] }, ['--cap-drop', 'ALL']],
    ['securityOptions', { securityOptions: ['no-new-privileges'] }, ['--security-opt', 'no-new-privileges']],
    ['readOnlyRoot', { readOnlyRoot: true }, ['--read-only']],
    ['user', { user: { uid: 0, gid: 5 } }, ['--user', '0:5']],
    ['environment', { environment: ['TERM', 'A'] }, ['--env', 'TERM', '--env', 'A']],
    ['flags', { flags: ['--runtime=runsc'] }, ['--runtime=runsc']],
  ])('%s: adds exactly its options, before the image', (_, part, added) => {
    const plain = runArguments(minimal, DOCKER);
    const args = runArguments({ ...minimal, ...part }, DOCKER);
    const at = args.findIndex((argument, index) => argument === added[0] && args[index + 1] === (added[1] ?? args[index + 1]));
    expect(args.slice(at, at + added.length)).toEqual(added);
    expect(args.toSpliced(at, added.length)).toEqual(plain);
    expect(at).toBeLessThan(args.indexOf('image:tag'));
  });

  it('S14: takes names of variables only, and does not repeat a value in its refusal', () => {
    const withValue = (): string[] => runArguments({ ...minimal, environment: ['KEY=sk-secret'] }, DOCKER);
    expect(withValue).toThrow(TypeError);
    expect(withValue).not.toThrow(/sk-secret/);
  });

  it.each(['HOME', 'PATH', 'DOCKER_HOST'])("refuses %s, which the engine's client would obey itself", (name) => {
    expect(() => runArguments({ ...minimal, environment: [name] }, DOCKER)).toThrow(/read by the engine's own client/);
  });

  it.each(['', '--privileged', ' image'])('refuses the image reference %j', (image) => {
    expect(() => runArguments({ ...minimal, image }, DOCKER)).toThrow(TypeError);
  });
});
