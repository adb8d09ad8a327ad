import { temporaryDirectory } from '@doompi-sandbox/testkit';
import type { AttachedProcess } from '@doompi-sandbox/engine';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startInTurn, type Turn } from '../../../src/launch/apply/start-in-turn.ts';

const podman = { name: 'podman', clientVersion: '4.3.1', rootless: false, usernsRemap: false } as const;
const docker = { ...podman, name: 'docker', clientVersion: '28.2.2' } as const;
const never = new Promise<never>(() => {});

const client = (exited: AttachedProcess['exited'] = never): AttachedProcess => ({
  pid: 1,
  stdin: null,
  stdout: null,
  stderr: null,
  exited,
  kill: () => true,
});

const turns = async (): Promise<(changes?: Partial<Turn>) => Turn> => {
  const locks = await temporaryDirectory();
  onTestFinished(() => locks.dispose());
  const { signal } = new AbortController();
  const common = { engine: podman, volume: 'v', lockDirectory: locks.path, running: never, signal, onWait: () => {} };
  return (changes = {}) => ({ ...common, ...changes });
};

describe('startInTurn', () => {
  it.each(['runs', 'has ended'])('B02: podman starts a container on the same volumes when the one before %s', async (how) => {
    const turn = await turns();
    const first = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<{ exitCode: number }>();
    const started: string[] = [];
    const begin =
      (name: string, process = client()) =>
      (): AttachedProcess => {
        started.push(name);
        return process;
      };
    await startInTurn(turn({ running: first.promise }), begin('first', client(ended.promise)));
    let waits = 0;
    const second = startInTurn(turn({ onWait: () => (waits += 1) }), begin('second'));
    await startInTurn(turn({ volume: 'another' }), begin('another'));
    await startInTurn(turn({ engine: docker }), begin('docker'));
    expect(started).toEqual(['first', 'another', 'docker']);
    if (how === 'runs') first.resolve();
    else ended.resolve({ exitCode: 125 });
    await second;
    expect(started).toEqual(['first', 'another', 'docker', 'second']);
    expect(waits).toBe(1);
  });

  it('is rejected with what the start throws, and leaves the turn to the next', async () => {
    const turn = await turns();
    const refused = new TypeError('refused');
    const failing = startInTurn(turn(), () => {
      throw refused;
    });
    await expect(failing).rejects.toBe(refused);
    await expect(startInTurn(turn(), () => client())).resolves.toBeDefined();
  });

  it('is rejected when it is interrupted before its turn', async () => {
    const turn = await turns();
    await startInTurn(turn(), () => client());
    const interrupted = new AbortController();
    const waiting = startInTurn(turn({ signal: interrupted.signal }), () => client());
    interrupted.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
