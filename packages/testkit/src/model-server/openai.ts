import { lastUserText, modelOf, sse, type Answer, type Dialect } from './dialect.ts';

/** Seconds since the epoch, fixed: tests compare bodies. */
const CREATED = 1_700_000_000;

const error = (status: number, message: string): unknown => ({
  error: {
    message,
    type: status === 401 ? 'invalid_request_error' : status >= 500 ? 'server_error' : 'requests',
    param: null,
    code: status === 401 ? 'invalid_api_key' : null,
  },
});

const completionUsage = ({ inputTokens, tokens }: Answer): Record<string, number> => ({
  prompt_tokens: inputTokens,
  completion_tokens: tokens.length,
  total_tokens: inputTokens + tokens.length,
});

/** OpenAI chat completions: `POST …/chat/completions`. The usage chunk is always sent, as with `stream_options.include_usage`. */
export const openaiCompletions: Dialect = {
  api: 'openai-completions',
  matches: (method, pathname) => method === 'POST' && pathname.endsWith('/chat/completions'),
  slot: () => 'authorization',
  streams: ({ body }) => body['stream'] === true,
  model: modelOf,
  prompt: ({ body }) => lastUserText(body['messages']),
  whole: (answer) => ({
    id: 'chatcmpl-test0001',
    object: 'chat.completion',
    created: CREATED,
    model: answer.model,
    choices: [
      { index: 0, message: { role: 'assistant', content: answer.tokens.join(''), refusal: null }, finish_reason: 'stop' },
    ],
    usage: completionUsage(answer),
  }),
  events: (answer) => {
    const chunk = (choices: readonly unknown[], more: Record<string, unknown> = {}): string =>
      sse({
        id: 'chatcmpl-test0001',
        object: 'chat.completion.chunk',
        created: CREATED,
        model: answer.model,
        choices,
        ...more,
      });
    const choice = (delta: Record<string, unknown>, reason: string | null): unknown => ({
      index: 0,
      delta,
      finish_reason: reason,
    });
    return {
      before: [chunk([choice({ role: 'assistant', content: '' }, null)])],
      token: (content) => chunk([choice({ content }, null)]),
      after: [chunk([choice({}, 'stop')]), chunk([], { usage: completionUsage(answer) }), sse('[DONE]')],
    };
  },
  error,
};

const responseOf = (
  answer: Answer,
  status: 'in_progress' | 'completed',
  output: readonly unknown[],
): Record<string, unknown> => ({
  id: 'resp_test0001',
  object: 'response',
  created_at: CREATED,
  status,
  model: answer.model,
  output,
  error: null,
  incomplete_details: null,
  usage:
    status === 'in_progress'
      ? null
      : {
          input_tokens: answer.inputTokens,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: answer.tokens.length,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: answer.inputTokens + answer.tokens.length,
        },
});

const ITEM = 'msg_test0001';

const part = (text: string): Record<string, unknown> => ({ type: 'output_text', text, annotations: [] });

const item = (status: 'in_progress' | 'completed', content: readonly unknown[]): Record<string, unknown> => ({
  id: ITEM,
  type: 'message',
  role: 'assistant',
  status,
  content,
});

/** OpenAI responses: `POST …/responses`. */
export const openaiResponses: Dialect = {
  api: 'openai-responses',
  matches: (method, pathname) => method === 'POST' && pathname.endsWith('/responses'),
  slot: () => 'authorization',
  streams: ({ body }) => body['stream'] === true,
  model: modelOf,
  prompt: ({ body }) => lastUserText(body['input']),
  whole: (answer) => responseOf(answer, 'completed', [item('completed', [part(answer.tokens.join(''))])]),
  events: (answer) => {
    let sequence = 0;
    const event = (type: string, more: Record<string, unknown>): string =>
      sse({ type, sequence_number: sequence++, ...more }, type);
    const place = { item_id: ITEM, output_index: 0, content_index: 0 };
    const text = answer.tokens.join('');
    const done = item('completed', [part(text)]);
    return {
      before: [
        event('response.created', { response: responseOf(answer, 'in_progress', []) }),
        event('response.in_progress', { response: responseOf(answer, 'in_progress', []) }),
        event('response.output_item.added', { output_index: 0, item: item('in_progress', []) }),
        event('response.content_part.added', { ...place, part: part('') }),
      ],
      token: (delta) => event('response.output_text.delta', { ...place, delta }),
      get after() {
        return [
          event('response.output_text.done', { ...place, text }),
          event('response.content_part.done', { ...place, part: part(text) }),
          event('response.output_item.done', { output_index: 0, item: done }),
          event('response.completed', { response: responseOf(answer, 'completed', [done]) }),
        ];
      },
    };
  },
  error,
};
