import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { openAcceptance } from '../../src/storage/acceptance.ts';

it('a yes is remembered by the next launcher, in a directory of the person alone', async () => {
  await using state = await temporaryDirectory();
  expect(await openAcceptance(state.path).has('a')).toBe(false);
  await openAcceptance(state.path).add('a');
  expect(await openAcceptance(state.path).has('a')).toBe(true);
  expect(await openAcceptance(state.path).has('b')).toBe(false);
  expect((await stat(join(state.path, 'doompi-sandbox/accepted-homes'))).mode & 0o777).toBe(0o700);
});

it('a yes that cannot be kept is no error', async () => {
  await using state = await temporaryDirectory();
  await writeFile(join(state.path, 'doompi-sandbox'), 'a file');
  await openAcceptance(state.path).add('a');
  expect(await openAcceptance(state.path).has('a')).toBe(false);
});
