import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { BRIDGE_EXIT } from '../src/index.ts';
import { FIXTURE, runBridgeProcess, SOURCE_FLAGS, startBridge } from './helpers/process.ts';
import { scratch } from './helpers/session.ts';

const NO_SESSION = { sessionDirectory: '/nonexistent', extension: '/e.mjs' };
const bridge = (...command: readonly string[]): string[] => [
  process.execPath,
  ...SOURCE_FLAGS,
  FIXTURE,
  JSON.stringify(NO_SESSION),
  ...command,
];

/** `command` in words that a POSIX shell reads back unchanged. */
const quoted = (command: readonly string[]): string =>
  command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');

describe('input', () => {
  it('B15: a pipe arrives whole', async () => {
    const { stdout } = await runBridgeProcess(NO_SESSION, ['md5sum'], { input: 'foo' });
    expect(stdout.toString()).toBe('acbd18db4cc2f85cedef654fccc4a4d8  -\n');
  });

  it('B15: 10 MB arrive unchanged', async () => {
    const input = Buffer.alloc(10 * 1024 * 1024, 'the quick brown fox ');
    const { status, stdout, stderr } = await runBridgeProcess(NO_SESSION, ['cat'], { input });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(createHash('sha256').update(stdout).digest('hex')).toBe(createHash('sha256').update(input).digest('hex'));
  });

  it.each([
    ['/dev/null', '</dev/null'],
    ['closed', '<&-'],
  ])('B15: %s as stdin ends the agent at once with status 0', async (_name, redirection) => {
    const { status, elapsedMs } = await runShell(`exec ${quoted(bridge('cat'))} ${redirection}`);
    expect(status).toBe(0);
    expect(elapsedMs).toBeLessThan(5000);
  });
});

const runShell = async (script: string): ReturnType<typeof runBridgeProcess> =>
  runBridgeProcess(NO_SESSION, ['sh', '-c', script], { keepInput: true });

describe('status', () => {
  it.each([0, 1, 42, 255])('%i is passed on', async (code) => {
    expect((await runBridgeProcess(NO_SESSION, ['sh', '-c', `exit ${code}`])).status).toBe(code);
  });

  it.each([
    ['KILL', 137],
    ['TERM', 143],
    ['SEGV', 139],
  ])('death by SIG%s is %i', async (signal, status) => {
    expect((await runBridgeProcess(NO_SESSION, ['sh', '-c', `kill -${signal} $$`])).status).toBe(status);
  });

  it('a missing command is 127, with its name', async () => {
    const { status, stderr } = await runBridgeProcess(NO_SESSION, ['no-such-agent', '-p']);
    expect(status).toBe(BRIDGE_EXIT.notFound);
    expect(stderr).toContain('BRIDGE_AGENT_NOT_FOUND: agent command not found in the container: no-such-agent.');
  });

  it('a command that cannot be executed is 126, with its name', async () => {
    await using directory = await scratch();
    const file = join(mkdtempSync(join(directory.path, 'a')), 'agent');
    writeFileSync(file, '', { mode: 0o644 });
    const { status, stderr } = await runBridgeProcess(NO_SESSION, [file]);
    expect(status).toBe(BRIDGE_EXIT.notExecutable);
    expect(stderr).toContain(`BRIDGE_AGENT_NOT_EXECUTABLE: agent command cannot be executed in the container: ${file} (EACCES)`);
  });

  it('no command is 64', async () => {
    expect((await runBridgeProcess(NO_SESSION, [])).status).toBe(BRIDGE_EXIT.usage);
  });
});

describe('signals', () => {
  const agent = (signal: string): string[] => [
    process.execPath,
    '-e',
    `process.on(${JSON.stringify(signal)}, () => { console.log('got ' + ${JSON.stringify(signal)}); process.exit(9); });
     setInterval(() => {}, 1e6); console.log('up');`,
  ];

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const)(
    'B16: %s reaches the agent, whose own handler decides',
    async (signal) => {
      const running = startBridge(NO_SESSION, agent(signal));
      await running.said('up');
      running.child.kill(signal);
      const { status, stdout } = await running.finished;
      expect([status, stdout.toString()]).toEqual([9, `up\ngot ${signal}\n`]);
    },
  );

  it('a stop from the keyboard does not stop the bridge, and the agent continues', async () => {
    const running = startBridge(NO_SESSION, ['sh', '-c', 'echo up; kill -STOP $$; echo continued; exit 5']);
    await running.said('up');
    const { pid } = running.child;
    const stopped = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim();
    // A signal that continues it before it has stopped would be lost.
    await waitFor(async () => (await readFile(`/proc/${stopped}/stat`, 'utf8')).includes(') T '), { what: 'the agent to stop' });
    running.child.kill('SIGTSTP');
    const { status, stdout } = await running.finished;
    expect([status, stdout.toString()]).toEqual([5, 'up\ncontinued\n']);
  });
});
