import { describe, expectTypeOf, it } from 'vitest';
import { type AgentId, type ImageErrorCode, type ImageProgress, isImageError } from '../src/index.ts';

describe('public types', () => {
  it('lists every error code', () => {
    expectTypeOf<ImageErrorCode>().toEqualTypeOf<
      | 'IMAGE_AGENT_UNPINNED'
      | 'IMAGE_AGENT_PACKAGE_INVALID'
      | 'IMAGE_BUNDLE_MISSING'
      | 'IMAGE_CERTIFICATES_UNREADABLE'
      | 'IMAGE_BUILD_FAILED'
      | 'IMAGE_NOT_LOADED'
      | 'IMAGE_PULL_FAILED'
      | 'IMAGE_WRONG_PLATFORM'
    >();
  });

  it('ties details to the code', () => {
    const error: unknown = undefined;
    if (isImageError(error, 'IMAGE_BUILD_FAILED')) expectTypeOf(error.details.exitCode).toEqualTypeOf<number>();
  });

  it('keeps unions closed', () => {
    expectTypeOf<AgentId>().toEqualTypeOf<'pi' | 'doompi'>();
    expectTypeOf<ImageProgress['step']>().toEqualTypeOf<'waiting' | 'pulling' | 'building' | 'built'>();
  });
});
