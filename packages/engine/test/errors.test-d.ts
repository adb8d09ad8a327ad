import { describe, expectTypeOf, it } from 'vitest';
import {
  type Engine,
  type EngineErrorCode,
  type EngineName,
  type ExitStatus,
  isEngineError,
  type Mount,
  mountArgument,
  type RunSpec,
} from '../src/index.ts';

describe('public types', () => {
  it('lists every error code', () => {
    expectTypeOf<EngineErrorCode>().toEqualTypeOf<
      | 'ENGINE_NOT_FOUND'
      | 'ENGINE_UNREACHABLE'
      | 'ENGINE_TIMEOUT'
      | 'ENGINE_UNSUPPORTED'
      | 'ENGINE_UNKNOWN'
      | 'ENGINE_NOT_SPAWNED'
      | 'ENGINE_COMMAND_FAILED'
      | 'ENGINE_ANSWER_UNREADABLE'
      | 'ENGINE_BUILD_FAILED'
      | 'ENGINE_ENDPOINT_INVALID'
      | 'ENGINE_CONFIGURATION_REFUSED'
      | 'ENGINE_OPTION_UNSUPPORTED'
    >();
  });

  it('ties details to the code', () => {
    const error: unknown = undefined;
    if (isEngineError(error, 'ENGINE_TIMEOUT')) expectTypeOf(error.details.timeoutMs).toEqualTypeOf<number>();
    if (isEngineError(error) && error.code === 'ENGINE_BUILD_FAILED')
      expectTypeOf(error.details.lastLines).toEqualTypeOf<readonly string[]>();
  });

  it('keeps unions closed', () => {
    expectTypeOf<EngineName>().toEqualTypeOf<'docker' | 'podman' | 'nerdctl' | 'finch'>();
    expectTypeOf<Engine['name']>().toEqualTypeOf<EngineName>();
    expectTypeOf<Mount['type']>().toEqualTypeOf<'bind' | 'volume' | 'tmpfs'>();
    expectTypeOf<ExitStatus>().toEqualTypeOf<{ readonly exitCode: number } | { readonly signal: NodeJS.Signals }>();
    expectTypeOf<RunSpec['pull']>().toEqualTypeOf<'never'>();
    expectTypeOf(mountArgument).parameter(0).not.toExtend<{ type: 'tmpfs' }>();
  });
});
