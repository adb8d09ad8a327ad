import type { RecordedRequest } from './record.ts';

/** How one request is answered. Everything has a default: a plain answer, 200, at once. */
export interface ModelBehaviour {
  /** Default: `The model server heard: <the prompt>`. */
  readonly answer?: string | ((prompt: string, request: RecordedRequest) => string);
  /** Pause before each token after the first, in milliseconds. Default 0. */
  readonly delayMs?: number;
  /** Answers with this status and the provider's own error body. A status below 400 is sent with the answer. */
  readonly status?: number;
  /** Added to the response, over the server's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body instead of the provider's own error body. */
  readonly errorBody?: string;
  /** Answers 302 with this Location. */
  readonly redirect?: string;
  /**
   * Breaks off after that many tokens. `reset`: TCP RST. `end`: a clean end of the response without its last events.
   * `truncate`: the connection closes in the middle of the body. `stall`: nothing more comes and the connection stays.
   */
  readonly death?: { readonly afterTokens: number; readonly how: 'reset' | 'end' | 'truncate' | 'stall' };
}

/** Words with the blanks after them: what the server streams one by one. */
export const tokensOf = (text: string): readonly string[] => text.match(/\S+\s*|\s+/g) ?? [];
