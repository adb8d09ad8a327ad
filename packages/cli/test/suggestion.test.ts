import { expect, it } from 'vitest';
import { suggestion } from '../src/suggestion.ts';

const KNOWN = ['run', 'plan', 'build', 'doctor'];

it.each([
  ['plan', 'plan'],
  ['plna', 'plan'],
  ['pla', 'plan'],
  ['planer', undefined],
  ['biuld', 'build'],
  ['builds', 'build'],
  ['docter', 'doctor'],
  ['doktr', 'doctor'],
  ['rum', 'run'],
  ['hello', undefined],
  ['', undefined],
  ['-', undefined],
])('%j is near %s', (word, expected) => {
  expect(suggestion(word, KNOWN)).toBe(expected);
});
