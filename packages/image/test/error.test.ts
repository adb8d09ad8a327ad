import { describe, expect, it } from 'vitest';
import { ImageError, isImageError } from '../src/index.ts';

describe('isImageError', () => {
  const error = new ImageError('IMAGE_BUNDLE_MISSING', 'message', { file: '/f' });

  it('tells codes apart', () => {
    expect(isImageError(error)).toBe(true);
    expect(isImageError(error, 'IMAGE_BUNDLE_MISSING')).toBe(true);
    expect(isImageError(error, 'IMAGE_NOT_LOADED')).toBe(false);
    expect(isImageError(new Error('message'))).toBe(false);
  });

  it('knows an error of another copy of the package', () => {
    const foreign = Object.assign(new Error('message'), {
      code: 'IMAGE_NOT_LOADED',
      [Symbol.for('doompi-sandbox:ImageError')]: true,
    });
    expect(isImageError(foreign, 'IMAGE_NOT_LOADED')).toBe(true);
  });
});
