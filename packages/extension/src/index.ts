export { activateSandboxExtension } from './activate.ts';
export { extensionEntryPath } from './entry-path.ts';
export {
  createSandboxExtension,
  type SandboxExtension,
  type SandboxExtensionDependencies,
  type SandboxExtensionOptions,
} from './extension.ts';
export type { ExtensionApi, ExtensionCommand, ExtensionContext, ExtensionUi } from './pi-api.ts';
export type { SandboxSurroundings } from './sandbox-state.ts';
export { DefaultSandboxExtensionService, type SandboxExtensionResult, type SandboxExtensionService } from './status.ts';
