import { describe, expect, it } from 'vitest';
import { EngineError, isEngineError } from '../src/index.ts';

describe('isEngineError', () => {
  const error = new EngineError('ENGINE_UNKNOWN', 'message', { override: 'x', known: [] });

  it('tells codes apart', () => {
    expect(isEngineError(error)).toBe(true);
    expect(isEngineError(error, 'ENGINE_UNKNOWN')).toBe(true);
    expect(isEngineError(error, 'ENGINE_TIMEOUT')).toBe(false);
    expect(isEngineError(new Error('message'))).toBe(false);
    expect(isEngineError({ code: 'ENGINE_UNKNOWN' })).toBe(false);
  });

  it('knows an error of another copy of the package', () => {
    const foreign = Object.assign(new Error('message'), {
      code: 'ENGINE_UNKNOWN',
      [Symbol.for('doompi-sandbox:EngineError')]: true,
    });
    expect(isEngineError(foreign, 'ENGINE_UNKNOWN')).toBe(true);
  });
});
