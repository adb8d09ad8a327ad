import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { within } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { startTunnel, toBrokerOf } from '../helpers/tunnel.ts';

const MEGABYTE = 1024 * 1024;

it('B33: many connections that are busy both ways at once never stop each other', async () => {
  const { uplink } = await startTunnel({ broker: (connection) => void connection.pipe(connection) });
  const block = randomBytes(4 * MEGABYTE);
  const chunks = Array.from({ length: 64 }, (_, index) => block.subarray(index * 65_536, (index + 1) * 65_536));
  const echo = async (): Promise<boolean> => {
    const connection = await toBrokerOf(uplink);
    Readable.from(chunks).pipe(connection);
    return (await buffer(connection)).equals(block);
  };
  const all = Promise.all(Array.from({ length: 32 }, echo));
  expect(await within(all, { timeoutMs: 30_000, what: 'the echoes' })).toEqual(Array.from({ length: 32 }, () => true));
}, 40_000);
