/** What each code's `details` holds. Everything here is safe to print. */
export interface LaunchErrorDetails {
  /** `launchSandbox` was called inside a sandbox. */
  LAUNCH_NESTED: { readonly marker: string };
  /** One or more settings cannot be used; all of them are listed. */
  LAUNCH_SETTINGS_INVALID: { readonly problems: readonly string[] };
  /** The platform cannot share a Unix socket with a container. */
  LAUNCH_PLATFORM_UNSUPPORTED: { readonly platform: string };
  /** The repository or the working directory cannot be used. */
  LAUNCH_REPOSITORY_UNUSABLE: { readonly path: string };
  /** The engine is on another machine, which does not see this one's files. */
  LAUNCH_FILES_NOT_SHARED: { readonly engine: string; readonly endpoint: string };
  /** A mount point below the repository is, or has become, something else than a directory. */
  LAUNCH_MOUNT_POINT_UNUSABLE: { readonly path: string };
  /** No private directory is short enough for a Unix socket. */
  LAUNCH_NO_SESSION_DIRECTORY: {
    readonly limitBytes: number;
    readonly candidates: readonly { readonly path: string; readonly bytes: number }[];
  };
  /** The transport that was named cannot lead from this engine's containers to this host. */
  LAUNCH_TRANSPORT_UNSUPPORTED: { readonly transport: string; readonly engine: string | undefined };
  /** The container ran and found no way to this launcher; no agent was started. */
  LAUNCH_TRANSPORT_FAILED: { readonly transports: readonly string[] };
  /** The engine's client let go of a container whose agent still ran, which was then removed: its exit code is not the agent's. */
  LAUNCH_CLIENT_ENDED: { readonly engine: string; readonly exitCode: number };
  /** The container could not be started, or was ended from outside, and its removal failed. */
  LAUNCH_CONTAINER_LEFT: { readonly session: string };
  /** A signal ended what was being done for the person, before it was complete. */
  LAUNCH_INTERRUPTED: { readonly signal: NodeJS.Signals };
}

export type LaunchErrorCode = keyof LaunchErrorDetails;

const BRAND = Symbol.for('doompi-sandbox.launch-error');

/** A launch that was refused or failed. Match `code`; texts may change. */
export class LaunchError<Code extends LaunchErrorCode = LaunchErrorCode> extends Error {
  override readonly name = 'LaunchError';
  readonly code: Code;
  readonly details: LaunchErrorDetails[Code];

  constructor(code: Code, message: string, details: LaunchErrorDetails[Code], options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.details = details;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Whether a value is a `LaunchError`, of any code or of this one; also across two copies of the package. */
export const isLaunchError = <Code extends LaunchErrorCode>(value: unknown, code?: Code): value is LaunchError<Code> =>
  value instanceof Error && BRAND in value && (code === undefined || ('code' in value && value.code === code));
