export { activateSandboxExtension, activateSandboxExtension as default } from './activate.ts';
