import { expect, it } from 'vitest';
import { safeArguments } from '../../../src/launch/plan/safe-arguments.ts';

it.each([
  [
    ['pi', '-p', 'explain the key'],
    ['pi', '-p', 'explain the key'],
  ],
  [
    ['pi', '--api-key', 'sk-real', 'x'],
    ['pi', '--api-key', '***', 'x'],
  ],
  [
    ['pi', '--api-key=sk-real'],
    ['pi', '--api-key=***'],
  ],
  [
    ['--client_secret', 's', '--token', 't'],
    ['--client_secret', '***', '--token', '***'],
  ],
  [['--PASSWORD=a=b'], ['--PASSWORD=***']],
  [
    ['--api-key', '--print', 'x'],
    ['--api-key', '--print', 'x'],
  ],
  [
    ['key', '--', 'sk-real'],
    ['key', '--', 'sk-real'],
  ],
])('S14: %j is shown as %j', (args, expected) => {
  expect(safeArguments(args)).toEqual(expected);
});
