export {
  activateSandboxExtension,
  DefaultSandboxExtensionService,
  type SandboxExtensionResult,
  type SandboxExtensionService,
} from '@doompi-sandbox/extension';
