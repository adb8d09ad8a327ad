import { expect, it } from 'vitest';
import { imageAgeDays } from '../src/index.ts';

const now = Date.UTC(2026, 10, 30, 12);

it.each([
  ['2026-11-30T11:59:59.123456789Z', 0],
  ['2026-11-29T12:00:00+00:00', 1],
  ['2026-10-31T13:00:00Z', 29],
  ['2026-10-31T12:00:00Z', 30],
  ['2026-12-01T00:00:00Z', 0],
  ['1970-01-01T00:00:00Z', undefined],
  ['0001-01-01T00:00:00Z', undefined],
  ['', undefined],
])('an image of %s', (createdAt, days) => {
  expect(imageAgeDays(createdAt, now)).toBe(days);
});
