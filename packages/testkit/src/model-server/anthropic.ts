import { lastUserText, modelOf, sse, type Answer, type Dialect } from './dialect.ts';

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const ID = 'msg_test0001';

const message = ({ model, inputTokens }: Answer): Record<string, unknown> => ({
  id: ID,
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: inputTokens, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
});

const typed = (event: { readonly type: string } & Record<string, unknown>): string => sse(event, event.type);

/** Anthropic Messages: `POST …/v1/messages`. */
export const anthropicMessages: Dialect = {
  api: 'anthropic-messages',
  matches: (method, pathname) => method === 'POST' && pathname.endsWith('/v1/messages'),
  slot: (key) => (key.includes('sk-ant-oat') ? 'authorization' : 'x-api-key'),
  streams: ({ body }) => body['stream'] === true,
  model: modelOf,
  prompt: ({ body }) => lastUserText(body['messages']),
  whole: (answer) => ({
    ...message(answer),
    content: [{ type: 'text', text: answer.tokens.join('') }],
    stop_reason: 'end_turn',
    usage: { input_tokens: answer.inputTokens, output_tokens: answer.tokens.length },
  }),
  events: (answer) => ({
    before: [
      typed({ type: 'message_start', message: message(answer) }),
      typed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      typed({ type: 'ping' }),
    ],
    token: (text) => typed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    after: [
      typed({ type: 'content_block_stop', index: 0 }),
      typed({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: answer.tokens.length },
      }),
      typed({ type: 'message_stop' }),
    ],
  }),
  error: (status, text) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message: text },
    request_id: 'req_test0001',
  }),
};
