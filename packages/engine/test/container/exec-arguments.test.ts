import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { attach, capture, execArguments, removeContainer, runArguments } from '../../src/index.ts';
import { REAL_ENGINES, removeLabelled, runSpec } from '../helpers/engine.ts';

const LABEL = 'doompi.sandbox.test';
const VALUE = `engine-exec-${process.pid}`;

describe('execArguments', () => {
  it('names everything before the container', () => {
    const args = execArguments({
      container: 'c1',
      command: ['node', '-e', '1'],
      environment: ['A'],
      workdir: '/w',
      user: { uid: 1, gid: 2 },
    });
    const options = ['--interactive', '--workdir', '/w', '--user', '1:2', '--env', 'A'];
    expect(args).toEqual(['exec', ...options, 'c1', 'node', '-e', '1']);
    expect(execArguments({ container: 'c1', command: ['id'], interactive: false })).toEqual(['exec', 'c1', 'id']);
  });

  it.each(['', '--privileged', 'a b'])('refuses the container %j', (container) => {
    expect(() => execArguments({ container, command: ['id'] })).toThrow(TypeError);
  });

  it.each(['PATH', 'DOCKER_HOST', 'CONTAINER_HOST', 'A=sk-secret'])('S14: refuses the variable %s', (name) => {
    const args = (): string[] => execArguments({ container: 'c', command: ['id'], environment: [name] });
    expect(args).toThrow(TypeError);
    expect(args).not.toThrow(/sk-secret/);
  });
});

for (const { name, skip, detect } of REAL_ENGINES)
  describe.skipIf(skip !== undefined)(`on real ${name}`, () => {
    afterAll(async () => removeLabelled(await detect(), `${LABEL}=${VALUE}`));

    it('carries bytes both ways, ends its input, and gives the exit status', async () => {
      const engine = await detect();
      const run = runArguments(runSpec(`${LABEL}=${VALUE}`, { command: ['sleep', '60'] }), engine).toSpliced(1, 0, '--detach');
      const container = (await capture(engine, run)).stdout.trim();
      const args = execArguments({
        container,
        command: ['sh', '-c', 'cat; printf %s "$WORD"; id -u; exit 7'],
        environment: ['WORD'],
        user: { uid: 5, gid: 6 },
      });
      const child = attach(engine, args, { environment: { WORD: 'w' }, stdio: ['pipe', 'pipe', 'inherit'] });
      child.stdin?.end('bytes\0\n');
      expect(await text(child.stdout ?? Readable.from([]))).toBe('bytes\0\nw5\n');
      expect(await child.exited).toEqual({ exitCode: 7 });
      expect(await removeContainer(engine, container)).toBe(true);
    });
  });
