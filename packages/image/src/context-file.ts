/** A file of the build context. */
export interface ContextFile {
  /** Relative path with `/`. */
  readonly path: string;
  /** Permission bits, copied into the image by every builder. */
  readonly mode: number;
  readonly content: Uint8Array;
}

export const textFile = (path: string, text: string, mode = 0o644): ContextFile => ({ path, mode, content: Buffer.from(text) });
