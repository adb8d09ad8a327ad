import { BRIDGE_EXIT } from './exit-status.ts';

/** What each error carries beside its message. Safe to print. */
export interface BridgeErrorDetails {
  BRIDGE_USAGE: object;
  BRIDGE_SESSION_MISSING: { readonly path: string };
  BRIDGE_SESSION_INVALID: { readonly path: string };
  BRIDGE_SOCKET_PATH_TOO_LONG: { readonly path: string; readonly bytes: number; readonly limit: number };
  BRIDGE_LISTEN_FAILED: { readonly port: number };
  BRIDGE_BROKER_UNREACHABLE: { readonly place: string };
  /** Why each transport did not lead to the launcher, in the order in which they were tried. */
  BRIDGE_LIFELINE_UNREACHABLE: {
    readonly tried: readonly { readonly transport: string; readonly place: string; readonly reason: string }[];
  };
  BRIDGE_DIAL_FAILED: { readonly path: string };
  BRIDGE_WORKSPACE_NOT_WRITABLE: { readonly path: string; readonly uid: number; readonly errno: string };
  BRIDGE_VOLUME_NOT_WRITABLE: { readonly path: string; readonly uid: number; readonly errno: string };
  BRIDGE_AGENT_NOT_FOUND: { readonly command: string };
  BRIDGE_AGENT_NOT_EXECUTABLE: { readonly command: string };
}

/** What went wrong. Part of the API: a changed code is a breaking change. */
export type BridgeErrorCode = keyof BridgeErrorDetails;

const EXIT: Record<BridgeErrorCode, number> = {
  BRIDGE_USAGE: BRIDGE_EXIT.usage,
  BRIDGE_SESSION_MISSING: BRIDGE_EXIT.unavailable,
  BRIDGE_SESSION_INVALID: BRIDGE_EXIT.config,
  BRIDGE_SOCKET_PATH_TOO_LONG: BRIDGE_EXIT.config,
  BRIDGE_LISTEN_FAILED: BRIDGE_EXIT.unavailable,
  BRIDGE_BROKER_UNREACHABLE: BRIDGE_EXIT.unavailable,
  BRIDGE_LIFELINE_UNREACHABLE: BRIDGE_EXIT.unreachable,
  BRIDGE_DIAL_FAILED: BRIDGE_EXIT.unreachable,
  BRIDGE_WORKSPACE_NOT_WRITABLE: BRIDGE_EXIT.cannotCreate,
  BRIDGE_VOLUME_NOT_WRITABLE: BRIDGE_EXIT.cannotCreate,
  BRIDGE_AGENT_NOT_FOUND: BRIDGE_EXIT.notFound,
  BRIDGE_AGENT_NOT_EXECUTABLE: BRIDGE_EXIT.notExecutable,
};

const BRAND = Symbol.for('@doompi-sandbox/bridge/error');

/** Thrown when the bridge cannot start the agent. */
export class BridgeError<Code extends BridgeErrorCode = BridgeErrorCode> extends Error {
  override readonly name = 'BridgeError';
  readonly code: Code;
  readonly details: BridgeErrorDetails[Code];

  constructor(code: Code, message: string, details: BridgeErrorDetails[Code], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Exit status that stands for this error. */
  get exitStatus(): number {
    return EXIT[this.code];
  }
}

/** Whether `value` is a `BridgeError`, of that code when one is given; also true for another copy of this package. */
export const isBridgeError = <Code extends BridgeErrorCode = BridgeErrorCode>(
  value: unknown,
  code?: Code,
): value is BridgeError<Code> =>
  typeof value === 'object' &&
  value !== null &&
  BRAND in value &&
  (code === undefined || ('code' in value && value.code === code));

/** Text of an error's system code (`ECONNREFUSED`), or of its message where it has none. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return (error as NodeJS.ErrnoException).code ?? error.message;
};
