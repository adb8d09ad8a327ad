export type { ApiKind } from './api-kind.ts';
export {
  startBroker,
  type Broker,
  type BrokerOptions,
  type BrokerSession,
  type SessionOptions,
  type SessionProvider,
} from './broker.ts';
export { createCredential, findCredentials, type Credential, type CredentialOptions } from './credential.ts';
export { BROKER_CHANNELS, type RefusalEvent, type RequestEvent, type RequestOutcome } from './diagnostics.ts';
export { BrokerError, isBrokerError, type BrokerErrorCode } from './error.ts';
export type { Listen, UnixListen } from './listen.ts';
export { upstreamUrl } from './override.ts';
export { PI_EXCLUDED, PI_ROUTES, PI_VERSION } from './pi-1.6.gen.ts';
export type { RefusalCode } from './refusal.ts';
export type { CredentialScheme, ExcludedProvider, Route, RouteApi, RouteVariable } from './route.ts';
