import { expect, it } from 'vitest';
import { isLaunchError, LaunchError } from '../src/index.ts';

it('a launch error is known by its brand and code, also from another copy of the package', () => {
  const cause = new Error('root');
  const failure = new LaunchError('LAUNCH_NESTED', 'text', { marker: 'M' }, { cause });
  expect(failure).toMatchObject({ name: 'LaunchError', code: 'LAUNCH_NESTED', details: { marker: 'M' }, cause });
  expect(isLaunchError(failure)).toBe(true);
  expect(isLaunchError(failure, 'LAUNCH_NESTED')).toBe(true);
  expect(isLaunchError(failure, 'LAUNCH_SETTINGS_INVALID')).toBe(false);
  const copy = Object.defineProperty(
    Object.assign(new Error('x'), { code: 'LAUNCH_NESTED' }),
    Symbol.for('doompi-sandbox.launch-error'),
    { value: true },
  );
  expect(isLaunchError(copy, 'LAUNCH_NESTED')).toBe(true);
  expect(isLaunchError(new Error('x'))).toBe(false);
  expect(isLaunchError('x')).toBe(false);
});
