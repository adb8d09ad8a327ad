import { EventEmitter } from 'node:events';
import { spawnInTerminal, type TerminalProcess } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { signalForAgent } from '../src/signals.ts';
import { awaitTerminalSize } from '../src/terminal-size.ts';
import { FIXTURE, SOURCE_FLAGS } from './helpers/process.ts';

const NO_SESSION = JSON.stringify({
  sessionDirectory: '/nonexistent',
  extension: '/e.mjs',
  terminalSizeTimeoutMs: 60_000,
});

/** Runs `script` under the bridge on a new terminal; `unsized` makes it 0 × 0 first, as an engine does. */
const onTerminal = (script: string, { unsized = false } = {}): TerminalProcess => {
  const bridge = [process.execPath, ...SOURCE_FLAGS, FIXTURE, NO_SESSION, process.execPath, '-e', script];
  const shell = unsized ? 'stty cols 0 rows 0; exec "$@"' : 'exec "$@"';
  return spawnInTerminal('sh', ['-c', shell, 'sh', ...bridge], { columns: 80, rows: 24 });
};

class Terminal extends EventEmitter {
  columns = 0;
}

describe('on a terminal', () => {
  it('B16: Ctrl-C reaches the agent once', async () => {
    const script = `let count = 0; process.on('SIGINT', () => { count += 1; console.log('count:' + count + '.'); });
      process.on('SIGUSR2', () => { console.log('total:' + count + '.'); process.exit(3); });
      setInterval(() => {}, 1e6); console.log('up');`;
    await using terminal = onTerminal(script);
    await terminal.waitForOutput('up');
    // Two deliveries may become one when both are pending; five times in a row they do not.
    for (let count = 1; count <= 5; count += 1) {
      terminal.write('\u0003');
      await terminal.waitForOutput(`count:${count}.`);
    }
    terminal.kill('SIGUSR2');
    expect(await terminal.exited).toMatchObject({ exitCode: 3 });
    expect(terminal.output).toContain('total:5.');
  });

  it('B13: the agent starts only once the terminal has its size', async () => {
    const script = 'console.log("size:" + process.stdout.columns + "x" + process.stdout.rows)';
    await using terminal = onTerminal(script, { unsized: true });
    // One that started later, on a terminal that has a size, is through: the first had time enough.
    await using control = onTerminal(script);
    expect(await control.exited).toMatchObject({ exitCode: 0 });
    expect(terminal.output).toBe('');
    terminal.resize(120, 40);
    expect(await terminal.exited).toMatchObject({ exitCode: 0 });
    expect(terminal.output).toContain('size:120x40');
  });

  it('waits for a width, a bounded time', async () => {
    const never = new AbortController().signal;
    const late = new Terminal();
    const waiting = awaitTerminalSize(late, { timeoutMs: 60_000, signal: never });
    late.emit('resize');
    late.columns = 80;
    expect(late.listenerCount('resize')).toBe(1);
    late.emit('resize');
    await waiting;
    expect(late.listenerCount('resize')).toBe(0);

    const none = new Terminal();
    const startedAt = performance.now();
    await awaitTerminalSize(none, { timeoutMs: 50, signal: never });
    expect(performance.now() - startedAt).toBeGreaterThan(45);

    const failed = new AbortController();
    const aborted = awaitTerminalSize(new Terminal(), { timeoutMs: 60_000, signal: failed.signal });
    failed.abort();
    await aborted;
  });

  it.each([
    ['SIGINT', true, undefined],
    ['SIGQUIT', true, undefined],
    ['SIGINT', false, 'SIGINT'],
    ['SIGTERM', true, 'SIGTERM'],
    ['SIGHUP', true, 'SIGHUP'],
    ['SIGTSTP', true, 'SIGCONT'],
  ] as const)('%s (terminal: %s) becomes %s', (signal, terminal, expected) => {
    expect(signalForAgent(signal, terminal)).toBe(expected);
  });
});
