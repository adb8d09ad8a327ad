export { default } from '@doompi-sandbox/extension/pi';
export { activateSandboxExtension } from '@doompi-sandbox/extension';
