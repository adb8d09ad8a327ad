import type { EndpointSource } from './endpoint/endpoint.ts';

import type { EngineName, EngineVariant } from './names.ts';

/** Why a server does not answer. `no-answer`: it accepts, or does nothing, until the deadline. */
export type UnreachableReason = 'permission-denied' | 'not-running' | 'no-socket' | 'no-answer' | 'unknown-host' | 'other';

/** Facts that come with each error code. Safe to print. */
export interface EngineErrorDetails {
  /** No program of that name on PATH. `searched` are the names looked for. */
  readonly ENGINE_NOT_FOUND: { readonly searched: readonly EngineName[] };
  /** The program is there but its server did not answer. `stderr` is the engine's own text, trimmed. */
  readonly ENGINE_UNREACHABLE: {
    readonly engine: EngineName;
    readonly file: string;
    /** Such as `unix:///var/run/docker.sock`, without a password; empty for an engine without a server to connect to. */
    readonly endpoint: string;
    /** What decided the endpoint. */
    readonly endpointSource: EndpointSource | undefined;
    readonly reason: UnreachableReason;
    readonly stderr: string;
  };
  /** An endpoint that cannot be read, or a context that is not there. `source` is what named it. */
  readonly ENGINE_ENDPOINT_INVALID: { readonly source: string; readonly reason: string; readonly accepted: readonly string[] };
  /** A variable points the engine's command at configuration that may be the repository's. */
  readonly ENGINE_CONFIGURATION_REFUSED: {
    readonly engine: EngineName;
    readonly variable: string;
    readonly reason: 'relative' | 'inside-repository';
  };
  /** A run asks for something that this engine cannot do. */
  readonly ENGINE_OPTION_UNSUPPORTED: { readonly engine: EngineVariant; readonly option: string; readonly value: string };
  /** A command did not end within its deadline and was ended. */
  readonly ENGINE_TIMEOUT: { readonly file: string; readonly command: string; readonly timeoutMs: number };
  /** An engine was found that this version cannot drive. */
  readonly ENGINE_UNSUPPORTED: { readonly engine: EngineName; readonly file: string; readonly reason: string };
  /** The override is not the name of an engine. */
  readonly ENGINE_UNKNOWN: { readonly override: string; readonly known: readonly EngineName[] };
  /** The engine's program could not be started. */
  readonly ENGINE_NOT_SPAWNED: { readonly file: string; readonly command: string };
  /** The engine's program ended with a failure. `stderr` is the engine's own text, trimmed. */
  readonly ENGINE_COMMAND_FAILED: { readonly command: string; readonly exitCode: number; readonly stderr: string };
  /** The engine's program succeeded with an answer that cannot be read. */
  readonly ENGINE_ANSWER_UNREADABLE: { readonly command: string; readonly answer: string };
  /** An image build failed. `lastLines` are the newest lines of its output. */
  readonly ENGINE_BUILD_FAILED: { readonly exitCode: number; readonly lastLines: readonly string[] };
}

export type EngineErrorCode = keyof EngineErrorDetails;

/** An error whose `code` and `details` belong together. */
export type EngineErrorOf<Code extends EngineErrorCode> = {
  [Each in Code]: EngineError & { readonly code: Each; readonly details: EngineErrorDetails[Each] };
}[Code];

const BRAND: unique symbol = Symbol.for('doompi-sandbox:EngineError') as never;

/** Everything this package refuses or fails at. Match on `code`. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineErrorCode;
  readonly details: EngineErrorDetails[EngineErrorCode];

  constructor(code: EngineErrorCode, message: string, details: EngineErrorDetails[EngineErrorCode], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Creates an error with the details that its code asks for. */
export const engineError = <Code extends EngineErrorCode>(
  code: Code,
  message: string,
  details: EngineErrorDetails[Code],
  options?: ErrorOptions,
): EngineError => new EngineError(code, message, details, options);

/** Whether a value is this package's error, of that code when one is given. Holds across copies of the package. */
export const isEngineError = <Code extends EngineErrorCode = EngineErrorCode>(
  value: unknown,
  code?: Code,
): value is EngineErrorOf<Code> =>
  value instanceof Error && BRAND in value && (code === undefined || (value as unknown as EngineError).code === code);
