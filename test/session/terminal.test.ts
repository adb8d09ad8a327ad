import { spawnInTerminal, within, type TerminalProcess } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { COMMAND, containersOf, sessionEnvironment, sessionRepository } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const agent = useStandIn();

const onTerminal = (cwd: string, ...command: readonly string[]): TerminalProcess =>
  spawnInTerminal(process.execPath, [...COMMAND, ...agent(), '--', ...command], {
    cwd,
    env: sessionEnvironment(),
    columns: 123,
    rows: 45,
  });

describe('a session on a terminal', () => {
  it('knows the size before the agent starts, and gives back its status', async () => {
    await using repository = await sessionRepository();
    await using terminal = onTerminal(repository.path, 'sh', '-c', 'stty size; test -t 0 && test -t 1 && test -t 2 && exit 5');
    await terminal.waitForOutput('45 123', { timeoutMs: 30_000 });
    expect(await within(terminal.exited)).toMatchObject({ exitCode: 5 });
  });

  it('sends Ctrl-C to the agent, once, and not to the launcher', async () => {
    await using repository = await sessionRepository();
    const script = `trap 'echo INT $((n = n + 1))' INT; echo ready; while [ "$line" != end ]; do read -r line; done; exit 6`;
    await using terminal = onTerminal(repository.path, 'sh', '-c', script);
    await terminal.waitForOutput('ready', { timeoutMs: 30_000 });
    terminal.write('\u0003');
    await terminal.waitForOutput('INT 1');
    terminal.write('end\r');
    expect(await within(terminal.exited)).toMatchObject({ exitCode: 6 });
    expect(terminal.output).not.toContain('INT 2');
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)('passes %s on to the agent and leaves no container', async (signal) => {
    await using repository = await sessionRepository();
    const script = `trap 'echo got it; exit 9' TERM HUP; echo ready; while :; do sleep 0.1; done`;
    await using terminal = onTerminal(repository.path, 'sh', '-c', script);
    await terminal.waitForOutput('ready', { timeoutMs: 30_000 });
    process.kill(terminal.pid, signal);
    expect(await within(terminal.exited)).toMatchObject({ exitCode: 9 });
    expect(await containersOf(repository.path)).toEqual([]);
  });
});
