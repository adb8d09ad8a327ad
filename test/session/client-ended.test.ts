import { LABELS } from '@doompi-sandbox/contract';
import { readdir } from 'node:fs/promises';
import {
  spawnInTerminal,
  stubPrograms,
  temporaryDirectory,
  waitFor,
  waitForEvent,
  within,
  type StubPrograms,
} from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { COMMAND, containersOf, sessionEnvironment, sessionRepository, startSandbox, testEngine } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const agent = useStandIn();

it('a client that detaches from a running agent is no success, and the agent ends with the launcher', async () => {
  await using repository = await sessionRepository();
  await using terminal = spawnInTerminal(process.execPath, [...COMMAND, ...agent(), '--', 'sh', '-c', 'echo ready; sleep 60'], {
    cwd: repository.path,
    env: sessionEnvironment(),
    columns: 200,
    rows: 24,
  });
  await terminal.waitForOutput('ready', { timeoutMs: 30_000 });
  // The engine looks for its detach sequence in single bytes only.
  terminal.write('\u0010');
  await waitFor(() => true);
  terminal.write('\u0011');
  expect(await within(terminal.exited, { timeoutMs: 20_000 })).toMatchObject({ exitCode: 125 });
  expect(terminal.output).toContain('while the agent still ran');
  expect(await containersOf(repository.path)).toEqual([]);
});

it('an agent whose output nobody reads any more ends with the launcher, not twelve seconds later', async () => {
  await using repository = await sessionRepository();
  await using temporary = await temporaryDirectory();
  const running = startSandbox([...agent(), '--', 'sh', '-c', 'trap "" PIPE; while :; do echo y; done'], {
    cwd: repository.path,
    environment: { TMPDIR: temporary.path },
  });
  running.stdout.catch(() => {});
  await waitForEvent(running.child.stdout as NonNullable<typeof running.child.stdout>, 'data', { timeoutMs: 30_000 });
  running.child.stdout?.destroy();
  await within(running.closed, { timeoutMs: 20_000 });
  expect(running.child.exitCode, await running.stderr).toBe(125);
  expect(await containersOf(repository.path)).toEqual([]);
  expect(await readdir(temporary.path)).toEqual([]);
});

/** Sends TERM to a launch once its client, a stub, says that it asked for the container; the launch must end with 128 + 15. */
const expectInterrupted = async (command: readonly string[], cwd: string, stubs: StubPrograms): Promise<void> => {
  const environment = { PATH: `${stubs.directory}:${process.env['PATH'] ?? ''}` };
  const running = startSandbox([...agent(), '--', ...command], { cwd, environment });
  let stderr = '';
  running.child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await waitFor(() => stderr.includes('asked'), { timeoutMs: 30_000, what: 'the request for a container' });
  running.child.kill('SIGTERM');
  await within(running.closed, { timeoutMs: 20_000 });
  expect(running.child.exitCode, stderr).toBe(143);
};

it('B56: a container that the engine makes after its client was interrupted is removed', async () => {
  await using repository = await sessionRepository();
  const { file } = await testEngine();
  // Like a real one that is killed while it asks for the container: the engine carries the request out all the same.
  await using stubs = await stubPrograms({
    docker: `
      [ "$1" = run ] || exec ${file} "$@"
      shift; n=$#
      while [ $n -gt 0 ]; do
        # The engine looks at mounts before it makes the container; the launcher may have removed its own by then.
        if [ "$1" = --mount ]; then shift 2; n=$((n - 2)); else set -- "$@" "$1"; shift; n=$((n - 1)); fi
      done
      (sleep 0.7; exec ${file} create "$@") >/dev/null 2>&1 </dev/null &
      echo asked >&2
      exec sleep 60`,
  });
  await expectInterrupted(['true'], repository.path, stubs);
  await expect(waitFor(async () => (await containersOf(repository.path)).length > 0, { timeoutMs: 2000 })).rejects.toThrow();
});

it('B56: a container that is listed before it can be inspected is waited for', async () => {
  await using repository = await sessionRepository();
  const { file } = await testEngine();
  await using stubs = await stubPrograms({
    docker: `
      made=$(/usr/bin/dirname "$0")/made
      case "$1 $2" in
        "run "*)
          for argument; do case "$argument" in ${LABELS.session}=*) echo "\${argument#*=}" > "$made.session" ;; esac; done
          echo asked >&2; exec sleep 60 ;;
        "container ls") [ -e "$made.removed" ] || echo 0123456789ab ;;
        "container inspect") [ -e "$made" ] || { (sleep 0.8; : > "$made") >/dev/null 2>&1 & echo "No such container" >&2; exit 1; }
          read -r session < "$made.session"
          printf '[{"Id":"0123456789ab","Config":{"Labels":{"${LABELS.session}":"%s"}}}]' "$session" ;;
        "container rm") case "$*" in *0123456789ab) : > "$made.removed"; echo 0123456789ab ;; *) exec ${file} "$@" ;; esac ;;
        *) exec ${file} "$@" ;;
      esac`,
  });
  await expectInterrupted(['true'], repository.path, stubs);
  const calls = await stubs.calls('docker');
  // The containers from which volumes were filled have ids of their own.
  const removed = calls.filter(
    ([first, second, ...rest]) => first === 'container' && second === 'rm' && rest.at(-1) === '0123456789ab',
  );
  expect(removed).toHaveLength(1);
});

it('B56: a signal that reaches the client before the container runs is not lost', async () => {
  await using repository = await sessionRepository();
  const { file } = await testEngine();
  // Like a real one between making and starting the container: the signal goes to a container that cannot take it.
  await using stubs = await stubPrograms({
    docker: `
      [ "$1" = run ] || exec ${file} "$@"
      trap : TERM
      echo asked >&2
      sleep 0.7
      trap - TERM
      exec ${file} "$@"`,
  });
  await expectInterrupted(['sleep', '60'], repository.path, stubs);
});

it('a third signal goes to the agent too, and does not make the client give up', async () => {
  await using repository = await sessionRepository();
  const count = `i=0; trap 'i=$((i + 1)); echo got $i; [ $i -lt 4 ] || exit 7' INT; echo got 0; while :; do sleep 0.1; done`;
  const running = startSandbox([...agent(), '--', 'sh', '-c', count], { cwd: repository.path });
  let stdout = '';
  running.child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  for (let index = 0; index < 4; index += 1) {
    await waitFor(() => stdout.includes(`got ${index}`), { timeoutMs: 30_000, what: `signal ${index}` });
    running.child.kill('SIGINT');
  }
  await within(running.closed, { timeoutMs: 20_000 });
  expect(running.child.exitCode, await running.stderr).toBe(7);
});
