export { isLaunchError, LaunchError, type LaunchErrorCode, type LaunchErrorDetails } from './error.ts';
export { createSandboxLauncher, launchSandbox, type SandboxLauncher, type SandboxLaunchRequest } from './launch/launch.ts';
export { findRepositoryRoot } from './launch/repository.ts';
export type { Environment, LauncherOptions } from './launch/settings.ts';
export { formatNotice, type Notice, type NoticeCode } from './notice.ts';
export { HARNESS_VERSION } from './version.ts';
