import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { holdLifeline, LIFELINE_TIMING, type Lifeline } from '../src/lifeline.ts';
import { BRIDGE_EXIT } from '../src/index.ts';
import { startBridge } from './helpers/process.ts';
import { endpoint, scratch, testSession, toBroker } from './helpers/session.ts';

const FAST = { graceMs: 600, retryMs: 20, settleMs: 100 };

const launcher = (): Server => createServer((socket) => void socket.resume());

/** Held from a first connection on. */
const hold = async (path: string): Promise<Lifeline> => {
  const uplink = toBroker(path);
  return holdLifeline(uplink, await uplink.connect('lifeline', { patienceMs: 1000 }), FAST);
};

describe('lifeline', () => {
  it('B56: by default the launcher may be away for 10 s', () => {
    expect(LIFELINE_TIMING.graceMs).toBe(10_000);
  });

  it('B56: is lost when it ends and cannot be had again in time', async () => {
    await using directory = await scratch();
    const path = join(directory.path, 'lifeline.sock');
    await using served = await endpoint(launcher(), path);
    using lifeline = await hold(path);
    await delay(FAST.settleMs);
    const cutAt = performance.now();
    await served.cut();
    await lifeline.lost;
    expect(performance.now() - cutAt).toBeGreaterThan(FAST.graceMs - 50);
  });

  it('B56: is kept when it can be had again, and its grace starts anew', async () => {
    await using directory = await scratch();
    const path = join(directory.path, 'lifeline.sock');
    await using served = await endpoint(launcher(), path);
    using lifeline = await hold(path);
    let lost = false;
    const watch = async (): Promise<void> => {
      await lifeline.lost;
      lost = true;
    };
    const watched = watch();
    for (let round = 0; round < 3; round += 1) {
      await delay(FAST.settleMs * 2);
      await served.cut();
      await delay(FAST.graceMs / 2);
      await served.listen(path);
      await once(served.server, 'connection');
    }
    expect(lost).toBe(false);
    await served.cut();
    await watched;
  });

  it('B56: a proxy that accepts and closes at once does not keep it', async () => {
    await using directory = await scratch();
    const path = join(directory.path, 'lifeline.sock');
    await using served = await endpoint(
      createServer((socket) => void socket.destroy()),
      path,
    );
    using lifeline = await hold(path);
    await lifeline.lost;
    expect(served.server.listening).toBe(true);
  });

  it('B56: the agent gets SIGTERM when the launcher is gone for good, and the status says so', async () => {
    await using session = await testSession('unbrokered', 'lifeline');
    const script =
      'process.on("SIGTERM", () => { console.log("cleaned up"); process.exit(0); }); setInterval(() => {}, 1e6); console.log("up")';
    const running = startBridge({ ...session.options, lifelineTiming: FAST }, [process.execPath, '-e', script], {
      env: session.environment,
      cwd: session.workspace,
    });
    await running.said('up');
    await session.served.lifeline.cut();
    const { status, stdout } = await running.finished;
    expect([status, stdout.toString()]).toEqual([BRIDGE_EXIT.lifelineLost, 'up\ncleaned up\n']);
  });

  it('B56: an agent that ignores SIGTERM, or is stopped, is killed 2 s later', async () => {
    await using session = await testSession('unbrokered', 'lifeline');
    const running = startBridge(
      { ...session.options, lifelineTiming: FAST },
      ['sh', '-c', 'trap "" TERM; echo up; kill -STOP $$; while :; do sleep 1; done'],
      {
        env: session.environment,
        cwd: session.workspace,
      },
    );
    await running.said('up');
    const cutAt = performance.now();
    await session.served.lifeline.cut();
    expect((await running.finished).status).toBe(BRIDGE_EXIT.lifelineLost);
    expect(performance.now() - cutAt).toBeGreaterThan(2000);
    expect(performance.now() - cutAt).toBeLessThan(6000);
  });
});
