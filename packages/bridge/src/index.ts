export { bridgeEntryPath } from './entry-path.ts';
export { BRIDGE_EXIT } from './exit-status.ts';
