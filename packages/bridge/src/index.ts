export type { BridgeErrorCode } from './error.ts';
export { bridgeEntryPath } from './entry-path.ts';
export { BRIDGE_EXIT } from './exit-status.ts';
export { serveMultiplex, type AcceptChannel, type MultiplexServer } from './multiplex/server.ts';
export { createProvingServer, type ProvingServer } from './proof.ts';
