import { expect, it } from 'vitest';
import { lockDirectory } from '../../../src/launch/image/session-image.ts';

it.each([
  [{ XDG_CACHE_HOME: '/c', HOME: '/h' }, '/c/doompi-sandbox/locks'],
  [{ XDG_CACHE_HOME: 'relative', HOME: '/h' }, '/h/.cache/doompi-sandbox/locks'],
  [{ HOME: '/h' }, '/h/.cache/doompi-sandbox/locks'],
])('build locks for %j are in %s', (environment, expected) => {
  expect(lockDirectory(environment)).toBe(expected);
});

it.each([[{}], [{ HOME: '' }], [{ HOME: 'relative' }]])(
  'build locks for %j are never in the working directory',
  (environment) => {
    expect(lockDirectory(environment)).toMatch(/^\/.+\/doompi-sandbox\/locks$/);
  },
);
