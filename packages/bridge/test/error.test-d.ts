import { expectTypeOf, test } from 'vitest';
import { BridgeError, isBridgeError, type BridgeErrorCode } from '../src/error.ts';

test('a code gives its details', () => {
  const error: unknown = undefined;
  if (isBridgeError(error, 'BRIDGE_WORKSPACE_NOT_WRITABLE')) {
    expectTypeOf(error.code).toEqualTypeOf<'BRIDGE_WORKSPACE_NOT_WRITABLE'>();
    expectTypeOf(error.details).toEqualTypeOf<{ readonly path: string; readonly uid: number; readonly errno: string }>();
  }
  if (isBridgeError(error)) expectTypeOf(error.code).toEqualTypeOf<BridgeErrorCode>();
});

test('details belong to their code', () => {
  // @ts-expect-error the port is missing
  void new BridgeError('BRIDGE_LISTEN_FAILED', 'm', {});
  // @ts-expect-error no such code
  void new BridgeError('BRIDGE_OTHER', 'm', {});
});
