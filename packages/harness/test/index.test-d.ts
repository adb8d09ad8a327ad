import { expectTypeOf, it } from 'vitest';
import {
  createSandboxLauncher,
  isLaunchError,
  LaunchError,
  launchSandbox,
  type LaunchErrorCode,
  type LauncherOptions,
  type Notice,
  type NoticeCode,
  type SandboxLaunchRequest,
} from '../src/index.ts';

it('a launch answers an exit code', () => {
  expectTypeOf(launchSandbox).returns.resolves.toBeNumber();
  expectTypeOf(createSandboxLauncher).parameter(0).toEqualTypeOf<LauncherOptions | undefined>();
  expectTypeOf(createSandboxLauncher).returns.toHaveProperty('launchSandbox').toEqualTypeOf<typeof launchSandbox>();
});

it("the original's request is accepted", () => {
  expectTypeOf<{
    repoRoot: string;
    cwd: string;
    forwardArgs: string[];
    environment: NodeJS.ProcessEnv;
    onProgress?: (message: string) => void;
    confirm?: (question: string) => Promise<boolean>;
  }>().toExtend<SandboxLaunchRequest>();
});

it('codes are literals and choose their details', () => {
  expectTypeOf<LaunchErrorCode>().toEqualTypeOf<
    | 'LAUNCH_NESTED'
    | 'LAUNCH_SETTINGS_INVALID'
    | 'LAUNCH_PLATFORM_UNSUPPORTED'
    | 'LAUNCH_REPOSITORY_UNUSABLE'
    | 'LAUNCH_FILES_NOT_SHARED'
    | 'LAUNCH_MOUNT_POINT_UNUSABLE'
    | 'LAUNCH_NO_SESSION_DIRECTORY'
    | 'LAUNCH_TRANSPORT_UNSUPPORTED'
    | 'LAUNCH_TRANSPORT_FAILED'
    | 'LAUNCH_CLIENT_ENDED'
    | 'LAUNCH_CONTAINER_LEFT'
    | 'LAUNCH_INTERRUPTED'
  >();
  const failure: unknown = undefined;
  if (isLaunchError(failure, 'LAUNCH_SETTINGS_INVALID'))
    expectTypeOf(failure.details.problems).toEqualTypeOf<readonly string[]>();
  expectTypeOf(new LaunchError('LAUNCH_NESTED', '', { marker: '' }).code).toEqualTypeOf<'LAUNCH_NESTED'>();
});

it('notices are told apart by code', () => {
  expectTypeOf<Extract<Notice, { code: 'brokering' }>>().toEqualTypeOf<{
    readonly code: 'brokering';
    readonly providers: readonly string[];
  }>();
  expectTypeOf<NoticeCode>().toExtend<string>();
});
