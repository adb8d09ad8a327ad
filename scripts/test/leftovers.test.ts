import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { clearLeftovers } from '../setup/engine/leftovers.mjs';

/** A run directory as dockerd leaves it when it is killed. */
const leave = async (run: string, pids: { readonly dockerd?: string; readonly containerd?: string }): Promise<void> => {
  await mkdir(join(run, 'docker/containerd/daemon'), { recursive: true });
  if (pids.dockerd !== undefined) await writeFile(join(run, 'docker.pid'), pids.dockerd);
  if (pids.containerd !== undefined) await writeFile(join(run, 'docker/containerd/containerd.pid'), pids.containerd);
  for (const socket of ['docker.sock', 'docker/containerd/containerd.sock']) {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(run, `${socket}.live`), resolve));
    await new Promise((resolve) => server.close(resolve));
    await writeFile(join(run, socket), '');
  }
};

const processes = (running: Readonly<Record<number, string>>) => ({
  exists: (pid: number): boolean => pid in running,
  name: (pid: number): string => running[pid] ?? '',
});

const left = async (run: string): Promise<readonly string[]> =>
  (await readdir(run, { recursive: true })).filter((name) => /\.(pid|sock)$/.test(name)).toSorted();

const ALL = ['docker.sock', 'docker/containerd/containerd.sock'];

describe('what a dead dockerd left', () => {
  it.each<
    readonly [
      string,
      { dockerd?: string; containerd?: string },
      Readonly<Record<number, string>>,
      number | undefined,
      readonly string[],
    ]
  >([
    ['goes, when its processes are gone', { dockerd: '10', containerd: '11' }, {}, undefined, []],
    [
      'goes, when other programs have its numbers',
      { dockerd: '10', containerd: '11' },
      { 10: 'bash', 11: 'node' },
      undefined,
      [],
    ],
    ['goes, when the pid file is empty', { dockerd: '', containerd: 'x' }, {}, undefined, []],
    ['goes without pid files', {}, {}, undefined, []],
    [
      'leaves a containerd that outlived it',
      { dockerd: '10', containerd: '11' },
      { 11: 'containerd' },
      undefined,
      ['docker/containerd/containerd.pid', 'docker/containerd/containerd.sock'],
    ],
    [
      'is not touched while dockerd runs',
      { dockerd: '10', containerd: '11' },
      { 10: 'dockerd' },
      10,
      ['docker.pid', ...ALL, 'docker/containerd/containerd.pid'].toSorted(),
    ],
  ])('%s', async (_name, pids, running, live, remaining) => {
    await using run = await temporaryDirectory();
    await leave(run.path, pids);
    expect(clearLeftovers(run.path, processes(running)).live).toBe(live);
    expect(await left(run.path)).toEqual(remaining);
    expect(await readdir(join(run.path, 'docker/containerd'))).toContain('daemon');
  });

  it('is nothing on a machine that never had one', async () => {
    await using run = await temporaryDirectory();
    expect(clearLeftovers(run.path)).toEqual({ live: undefined, removed: [] });
  });

  it('tells a real process by its name', async () => {
    await using run = await temporaryDirectory();
    await leave(run.path, { dockerd: String(process.pid) });
    expect(clearLeftovers(run.path).live).toBeUndefined();
  });
});
