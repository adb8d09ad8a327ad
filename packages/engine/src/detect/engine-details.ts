import type { Builder } from '../image/builder.ts';

/** Facts that cost a slow question, for a report rather than for a launch. Undefined: the engine does not say. */
export interface EngineDetails {
  readonly operatingSystem: string | undefined;
  readonly kernelVersion: string | undefined;
  readonly cgroupVersion: '1' | '2' | undefined;
  readonly storageDriver: string | undefined;
  /** Names of the OCI runtimes that `--runtime` takes; podman and nerdctl name only the one in use. */
  readonly runtimes: readonly string[];
  readonly defaultRuntime: string | undefined;
  /** Such as `seccomp`, `apparmor`, `selinux`, `rootless`, `userns`. */
  readonly securityOptions: readonly string[];
  readonly builder: Builder;
}
