/** What each code carries. Everything here is safe to print. */
interface BrokerErrorDetails {
  /** The socket path does not fit into the kernel's `sun_path`. */
  readonly BROKER_SOCKET_PATH_TOO_LONG: { readonly path: string; readonly length: number; readonly limit: number };
  /** The socket's directory is missing, not ours, or open to others. */
  readonly BROKER_SOCKET_DIRECTORY_UNSAFE: { readonly directory: string; readonly problem: string };
  /** Something that is not a stale socket of ours is at the socket path. */
  readonly BROKER_SOCKET_PATH_TAKEN: { readonly path: string; readonly problem: string };
  /** The kernel refused to listen; `cause` has the system error. */
  readonly BROKER_LISTEN_FAILED: { readonly path: string };
  /** An override names a provider that no route has. */
  readonly BROKER_UNKNOWN_PROVIDER: { readonly provider: string };
  /** An upstream base URL is not https, and not http to loopback either. */
  readonly BROKER_UPSTREAM_REFUSED: { readonly provider: string; readonly problem: string };
  /** The value of a key variable cannot be sent in a header. */
  readonly BROKER_CREDENTIAL_INVALID: { readonly variable: string };
  /** A live session has this id already. */
  readonly BROKER_SESSION_EXISTS: { readonly session: string };
  /** The broker was closed. */
  readonly BROKER_CLOSED: { readonly path: string | undefined };
}

/** Why a broker could not do what was asked. Codes are part of the API. */
export type BrokerErrorCode = keyof BrokerErrorDetails;

const BRAND = Symbol.for('doompi-sandbox.broker.error');

/** The one error class of this package. `details` is typed by `code` and holds no secret. */
export class BrokerError<Code extends BrokerErrorCode = BrokerErrorCode> extends Error {
  readonly code: Code;
  readonly details: BrokerErrorDetails[Code];

  constructor(code: Code, message: string, details: BrokerErrorDetails[Code], options?: ErrorOptions) {
    super(message, options);
    this.name = 'BrokerError';
    this.code = code;
    this.details = details;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Whether a value is this package's error, also from another copy of the package; with a code, whether it has that code. */
export const isBrokerError = <Code extends BrokerErrorCode = BrokerErrorCode>(
  value: unknown,
  code?: Code,
): value is BrokerError<Code> =>
  value instanceof Error && BRAND in value && (code === undefined || ('code' in value && value.code === code));
