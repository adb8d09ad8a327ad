import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { temporaryDirectory } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { COMMAND, sessionEnvironment, sessionRepository, startSandbox } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const agent = useStandIn();

it('a reader of stderr that goes away loses the messages, not the session and its exit status', async () => {
  await using repository = await sessionRepository();
  await using temporary = await temporaryDirectory();
  const args = agent().filter((argument) => argument !== '--quiet');
  const running = startSandbox([...args, '--', 'sh', '-c', 'echo answer; exit 4'], {
    cwd: repository.path,
    environment: { TMPDIR: temporary.path },
  });
  running.stderr.catch(() => {});
  running.child.stdin?.end();
  running.child.stderr?.destroy();
  await running.closed;
  expect(running.child.exitCode).toBe(4);
  expect(await running.stdout).toBe('answer\n');
  expect(await readdir(temporary.path)).toEqual([]);
});

it('help that cannot be written is a failure; a reader that has seen enough is none', async () => {
  const full = ['-c', 'exec "$@" >/dev/full', 'sh', process.execPath, ...COMMAND, '--help'];
  const lost = spawn('sh', full, { env: sessionEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr] = await Promise.all([text(lost.stderr), once(lost, 'close')]);
  expect({ exitCode: lost.exitCode, stderr }).toEqual({ exitCode: 125, stderr: expect.stringMatching(/^doompi.*ENOSPC.*\n$/) });

  const cut = spawn(process.execPath, [...COMMAND, '--help'], { env: sessionEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
  cut.stdout.destroy();
  const [quiet] = await Promise.all([text(cut.stderr), once(cut, 'close')]);
  expect({ exitCode: cut.exitCode, stderr: quiet }).toEqual({ exitCode: 0, stderr: '' });
});

it('a working directory that was deleted is named, without a stack trace', async () => {
  await using base = await temporaryDirectory();
  const script = `mkdir "$1" && cd "$1" && rmdir "$1" && shift && exec "$@"`;
  const gone = spawn('sh', ['-c', script, 'sh', `${base.path}/gone`, process.execPath, ...COMMAND], {
    env: sessionEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stderr] = await Promise.all([text(gone.stderr), once(gone, 'close')]);
  expect(gone.exitCode).toBe(125);
  expect(stderr).toMatch(
    /^doompi-sandbox: error: the working directory does not exist any more \[CLI_WORKING_DIRECTORY_GONE\]\n$/,
  );
});
