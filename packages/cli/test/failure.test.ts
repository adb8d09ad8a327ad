import { expect, it } from 'vitest';
import { formatFailure } from '../src/failure.ts';

const coded = (code: string, message: string, more: object = {}): Error => Object.assign(new Error(message), { code, ...more });

it('a failure tells each problem and its causes, without control characters', () => {
  const failure = new Error('one\ntwo', { cause: new Error('root\u001B[2J\nforged') });
  expect(formatFailure(failure)).toBe(
    'doompi-sandbox: error: one [CLI_UNEXPECTED]\ndoompi-sandbox: error: two [CLI_UNEXPECTED]\ndoompi-sandbox:   because: root\u{fffd}[2J\u{fffd}forged\n',
  );
});

it('a cause that is its own cause ends', () => {
  const failure = new Error('round');
  failure.cause = failure;
  expect(formatFailure(failure)).toBe('doompi-sandbox: error: round [CLI_UNEXPECTED]\n');
});

it.each([
  ['LAUNCH_NESTED', 'LAUNCH_NESTED'],
  ['EACCES', 'EACCES'],
  ['ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_TYPE'],
  ['forged\ncode', 'CLI_UNEXPECTED'],
])('the line of a failure with code %j ends with [%s]', (code, shown) => {
  expect(formatFailure(coded(code, 'text'))).toBe(`doompi-sandbox: error: text [${shown}]\n`);
});

it('each problem of the settings has the code; so has a cause, where it is ours', () => {
  const cause = coded('ENGINE_COMMAND_FAILED', 'pull failed');
  cause.cause = coded('ENOENT', 'ENOENT: no such file');
  const failure = coded('LAUNCH_SETTINGS_INVALID', 'a\nb', { cause });
  expect(formatFailure(failure).split('\n')).toEqual([
    'doompi-sandbox: error: a [LAUNCH_SETTINGS_INVALID]',
    'doompi-sandbox: error: b [LAUNCH_SETTINGS_INVALID]',
    'doompi-sandbox:   because: pull failed [ENGINE_COMMAND_FAILED]',
    'doompi-sandbox:   because: ENOENT: no such file',
    '',
  ]);
});

it("the engine's own words are told once, the newest ones, however deep they are", () => {
  const stderr = Array.from({ length: 12 }, (_, index) => `line ${index}`).join('\n');
  const cause = coded('ENGINE_COMMAND_FAILED', 'deep', { details: { stderr } });
  const text = formatFailure(coded('IMAGE_PULL_FAILED', 'outer', { details: { stderr: '' }, cause }));
  expect(text.match(/ {3}\| line \d+/g)).toEqual(Array.from({ length: 10 }, (_, index) => `   | line ${index + 2}`));
  const both = formatFailure(coded('IMAGE_PULL_FAILED', 'outer', { details: { stderr: 'said' }, cause }));
  expect(both.match(/ {3}\| .*/g)).toEqual(['   | said']);
});
