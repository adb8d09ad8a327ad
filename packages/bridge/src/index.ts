export type { BridgeErrorCode } from './error.ts';
export { bridgeEntryPath } from './entry-path.ts';
export { BRIDGE_EXIT } from './exit-status.ts';
