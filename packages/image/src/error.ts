import type { Builder, Platform } from '@doompi-sandbox/engine';
import type { AgentId } from './agents.ts';

/** Facts that come with each error code. Safe to print. */
export interface ImageErrorDetails {
  /** The agent has no pinned package here and none was given. */
  readonly IMAGE_AGENT_UNPINNED: { readonly agent: AgentId; readonly package: string };
  /** The agent package is neither a registry spec nor a readable tarball. */
  readonly IMAGE_AGENT_PACKAGE_INVALID: { readonly agentPackage: string; readonly reason: string };
  /** A built file that goes into the image is not there. */
  readonly IMAGE_BUNDLE_MISSING: { readonly file: string };
  /** A variable names a file of certificates that cannot be read. */
  readonly IMAGE_CERTIFICATES_UNREADABLE: { readonly variable: string; readonly path: string };
  /** The engine's build failed. `lastLines` are the newest lines of its output. */
  readonly IMAGE_BUILD_FAILED: {
    readonly reference: string;
    readonly baseImage: string;
    /** Whether the engine held the base image before the build, so that nothing had to be pulled. */
    readonly basePresent: boolean;
    readonly exitCode: number;
    readonly lastLines: readonly string[];
  };
  /** The base image could not be pulled; `stderr` is the engine's own text. Whatever had the tag before still has it. */
  readonly IMAGE_PULL_FAILED: {
    readonly reference: string;
    readonly baseImage: string;
    /** Whether the engine holds a base image that could be built on. */
    readonly basePresent: boolean;
    readonly stderr: string;
  };
  /** The build reported success and the engine does not hold the image. */
  readonly IMAGE_NOT_LOADED: { readonly reference: string; readonly builder: Builder };
  /** The image under the tag is for another platform than the engine runs. */
  readonly IMAGE_WRONG_PLATFORM: { readonly reference: string; readonly expected: Platform; readonly actual: Platform };
}

export type ImageErrorCode = keyof ImageErrorDetails;

/** An error whose `code` and `details` belong together. */
export type ImageErrorOf<Code extends ImageErrorCode> = {
  [Each in Code]: ImageError & { readonly code: Each; readonly details: ImageErrorDetails[Each] };
}[Code];

const BRAND: unique symbol = Symbol.for('doompi-sandbox:ImageError') as never;

/** Everything this package refuses or fails at. Match on `code`. */
export class ImageError extends Error {
  override readonly name = 'ImageError';
  readonly code: ImageErrorCode;
  readonly details: ImageErrorDetails[ImageErrorCode];

  constructor(code: ImageErrorCode, message: string, details: ImageErrorDetails[ImageErrorCode], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Creates an error with the details that its code asks for. */
export const imageError = <Code extends ImageErrorCode>(
  code: Code,
  message: string,
  details: ImageErrorDetails[Code],
  options?: ErrorOptions,
): ImageError => new ImageError(code, message, details, options);

/** Whether a value is this package's error, of that code when one is given. Holds across copies of the package. */
export const isImageError = <Code extends ImageErrorCode = ImageErrorCode>(
  value: unknown,
  code?: Code,
): value is ImageErrorOf<Code> =>
  value instanceof Error && BRAND in value && (code === undefined || (value as unknown as ImageError).code === code);
