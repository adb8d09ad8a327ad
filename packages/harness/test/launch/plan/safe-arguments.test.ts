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

it.each([
  ['Authorization: Bearer c2VjcmV0LWtleQ', 'Authorization: ***'],
  ['x-api-key:sk-real', 'x-api-key:***'],
  ['OPENAI_API_KEY=sk-real', 'OPENAI_API_KEY=***'],
  ["export TOKEN='a b'; run", 'export TOKEN=***; run'],
  ['https://user:pw@host/x', 'https://***@host/x'],
  ['curl -u Bearer c2VjcmV0LWtleQ', 'curl -u Bearer ***'],
  ['use sk-known-key-1 here', 'use *** here'],
  ['https://host/x?access_token=sk-real&y=1', 'https://host/x?access_token=***&y=1'],
  ['why does author@example.com use a key: explain', 'why does author@example.com use a key: explain'],
  ['explain https://host/a@b', 'explain https://host/a@b'],
])('S14: a secret within an argument is hidden, in %j', (argument, expected) => {
  expect(safeArguments(['pi', argument], ['sk-known-key-1'])).toEqual(['pi', expected]);
});
