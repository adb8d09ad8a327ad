import { once } from 'node:events';
import { connect } from 'node:net';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { temporaryDirectory, waitFor } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { openLifeline } from '../../src/sessions/lifeline.ts';

it('the lifeline is owner-only, holds connections and ends them with the launcher', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'lifeline.sock');
  const lifeline = await openLifeline(path);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const connection = connect(path);
  await once(connection, 'connect');
  const ended = once(connection, 'close');
  await lifeline[Symbol.asyncDispose]();
  await ended;
  await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('the lifeline knows whether a container ever connected, and whether one still is', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'lifeline.sock');
  await using lifeline = await openLifeline(path);
  expect(lifeline.connected).toBe(false);
  expect(await lifeline.outlives(60_000)).toBe(false);
  const connections = [connect(path), connect(path)];
  await Promise.all(connections.map(async (connection) => once(connection, 'connect')));
  await waitFor(() => lifeline.connected);
  expect(await lifeline.outlives(50)).toBe(true);
  const answer = lifeline.outlives(60_000);
  for (const connection of connections) connection.destroy();
  expect(await answer).toBe(false);
  expect(lifeline.connected).toBe(true);
});

it('the lifeline takes connections that came another way, without listening itself', async () => {
  const lifeline = await openLifeline(undefined);
  const [near, far] = duplexPair();
  lifeline.accept(far);
  expect(lifeline.connected).toBe(true);
  await lifeline.firstConnection;
  expect(await lifeline.outlives(50)).toBe(true);
  const answer = lifeline.outlives(60_000);
  near.end();
  expect(await answer).toBe(false);
  const [other, held] = duplexPair();
  lifeline.accept(held);
  const ended = once(other.resume(), 'end');
  await lifeline[Symbol.asyncDispose]();
  await ended;
});
