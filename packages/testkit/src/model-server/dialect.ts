/** The kinds of provider API that the server speaks. */
export type ModelApi = 'anthropic-messages' | 'openai-completions' | 'openai-responses' | 'google-generative-ai';

/** Names of request headers that carry a credential. */
export type CredentialSlot = 'authorization' | 'x-api-key' | 'x-goog-api-key' | 'api-key' | 'cf-aig-authorization';

/** What a dialect knows of one request. */
export interface DialectRequest {
  readonly pathname: string;
  /** Parsed JSON body; an empty object when it is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The answer as server-sent events: `before`, one `token` for each token, `after`. Each string is one whole event with its blank line. */
export interface EventStream {
  readonly before: readonly string[];
  token(text: string): string;
  readonly after: readonly string[];
}

export interface Answer {
  readonly model: string;
  readonly tokens: readonly string[];
  /** Words of the prompt. */
  readonly inputTokens: number;
}

/** One provider API as pure functions. */
export interface Dialect {
  readonly api: ModelApi;
  matches(method: string, pathname: string): boolean;
  /** The one header in which this provider expects this key. */
  slot(key: string): CredentialSlot;
  streams(request: DialectRequest): boolean;
  model(request: DialectRequest): string;
  /** Text of the last message of the person. */
  prompt(request: DialectRequest): string;
  whole(answer: Answer): unknown;
  events(answer: Answer): EventStream;
  /** The provider's own error body. */
  error(status: number, message: string): unknown;
}

export const sse = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text of a message content: a string, or the `text` of its parts. */
export const contentText = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isRecord)
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
};

/** Content of the last element whose `role` is `user`. */
export const lastUserText = (messages: unknown, field: 'content' | 'parts' = 'content'): string => {
  if (typeof messages === 'string') return messages;
  if (!Array.isArray(messages)) return '';
  return contentText(messages.filter(isRecord).findLast((message) => message['role'] === 'user')?.[field]);
};

export const modelOf = ({ body }: DialectRequest): string =>
  typeof body['model'] === 'string' ? body['model'] : 'unknown-model';
