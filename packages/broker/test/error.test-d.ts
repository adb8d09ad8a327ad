import { expectTypeOf, test } from 'vitest';
import {
  isBrokerError,
  type Broker,
  type BrokerError,
  type BrokerErrorCode,
  type BrokerSession,
  type Credential,
  type Listen,
  type RefusalEvent,
  type RequestEvent,
} from '../src/index.ts';

test('error codes are a closed set, each with its own details', () => {
  expectTypeOf<BrokerErrorCode>().toEqualTypeOf<
    | 'BROKER_SOCKET_PATH_TOO_LONG'
    | 'BROKER_SOCKET_DIRECTORY_UNSAFE'
    | 'BROKER_SOCKET_PATH_TAKEN'
    | 'BROKER_LISTEN_FAILED'
    | 'BROKER_UNKNOWN_PROVIDER'
    | 'BROKER_UPSTREAM_REFUSED'
    | 'BROKER_CREDENTIAL_INVALID'
    | 'BROKER_SESSION_EXISTS'
    | 'BROKER_CLOSED'
  >();
  const error: unknown = undefined;
  if (isBrokerError(error, 'BROKER_SOCKET_PATH_TOO_LONG')) {
    expectTypeOf(error).toEqualTypeOf<BrokerError<'BROKER_SOCKET_PATH_TOO_LONG'>>();
    expectTypeOf(error.details).toEqualTypeOf<{ readonly path: string; readonly length: number; readonly limit: number }>();
  }
});

test('broker and session are disposable, and a session may be absent', () => {
  expectTypeOf<Broker>().toExtend<AsyncDisposable>();
  expectTypeOf<BrokerSession>().toExtend<AsyncDisposable>();
  expectTypeOf<ReturnType<Broker['openSession']>>().toEqualTypeOf<BrokerSession | undefined>();
  expectTypeOf<Broker['endpoint']>().toEqualTypeOf<Listen | undefined>();
  expectTypeOf<Listen['transport']>().toEqualTypeOf<'unix'>();
});

test('events have plain fields only', () => {
  expectTypeOf<RequestEvent[keyof RequestEvent]>().toEqualTypeOf<string | number | undefined>();
  expectTypeOf<RefusalEvent[keyof RefusalEvent]>().toEqualTypeOf<string | number | undefined>();
  expectTypeOf<Credential['value']>().toEqualTypeOf<string>();
});
