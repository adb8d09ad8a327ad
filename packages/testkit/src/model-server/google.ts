import { lastUserText, sse, type Answer, type Dialect } from './dialect.ts';

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

const METHOD = /\/models\/([^/:]+):(streamGenerateContent|generateContent)$/;

const chunk = (answer: Answer, text: string, last: boolean): Record<string, unknown> => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...(last ? { finishReason: 'STOP' } : {}) }],
  modelVersion: answer.model,
  responseId: 'test0001',
  usageMetadata: {
    promptTokenCount: answer.inputTokens,
    candidatesTokenCount: answer.tokens.length,
    totalTokenCount: answer.inputTokens + answer.tokens.length,
  },
});

/** Google Generative AI: `POST …/models/NAME:streamGenerateContent?alt=sse` and `:generateContent`. */
export const googleGenerativeAi: Dialect = {
  api: 'google-generative-ai',
  matches: (method, pathname) => method === 'POST' && METHOD.test(pathname),
  slot: () => 'x-goog-api-key',
  streams: ({ pathname }) => METHOD.exec(pathname)?.[2] === 'streamGenerateContent',
  model: ({ pathname }) => METHOD.exec(pathname)?.[1] ?? 'unknown-model',
  prompt: ({ body }) => lastUserText(body['contents'], 'parts'),
  whole: (answer) => chunk(answer, answer.tokens.join(''), true),
  events: (answer) => ({
    before: [],
    token: (text) => sse(chunk(answer, text, false)),
    after: [sse(chunk(answer, '', true))],
  }),
  error: (status, message) => ({ error: { code: status, message, status: STATUS_NAMES[status] ?? 'INTERNAL' } }),
};
