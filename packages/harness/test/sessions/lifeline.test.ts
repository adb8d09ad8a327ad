import { once } from 'node:events';
import { connect } from 'node:net';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@doompi-sandbox/testkit';
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
