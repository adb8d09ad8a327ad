export {
  createSandboxLauncher,
  formatNotice,
  isLaunchError,
  LaunchError,
  launchSandbox,
  type LauncherOptions,
  type Notice,
  type SandboxLauncher,
  type SandboxLaunchRequest,
} from '@doompi-sandbox/harness';
