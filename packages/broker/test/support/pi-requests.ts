import type { ApiKind } from '../../src/index.ts';

/** The path that Pi 1.6 appends to a base, by API kind: seen in its own requests. */
export const PI_REQUEST_PATHS: Readonly<Record<ApiKind, string>> = {
  'anthropic-messages': '/v1/messages',
  'openai-completions': '/chat/completions',
  'openai-responses': '/responses',
  'openai-decisions': '/decisions',
  'google-generative-ai': '/models/m:streamGenerateContent',
  'mistral-conversations': '/v1/chat/completions',
  'pi-messages': '/messages',
  'openrouter-images': '/chat/completions',
  'typesafe-system-one': '/systemone',
};
