import { expect, it } from 'vitest';
import { formatFailure } from '../src/failure.ts';

it('a failure tells each problem and its causes, without control characters', () => {
  const failure = new Error('one\ntwo', { cause: new Error('root\u001B[2J') });
  expect(formatFailure(failure)).toBe(
    'doompi-sandbox: error: one\ndoompi-sandbox: error: two\ndoompi-sandbox:   because: root\u{fffd}[2J\n',
  );
});

it('a cause that is its own cause ends', () => {
  const failure = new Error('round');
  failure.cause = failure;
  expect(formatFailure(failure)).toBe('doompi-sandbox: error: round\n');
});
