/** Header that carries the credential of an API kind. */
export type CredentialSlot = 'authorization' | 'x-api-key' | 'x-goog-api-key';

interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Matches the raw path below the base, which is confined already. */
  readonly path: RegExp;
}

interface ApiDefinition {
  readonly slot: CredentialSlot;
  readonly endpoints: readonly Endpoint[];
}

const get = (path: RegExp): Endpoint => ({ method: 'GET', path });
const post = (path: RegExp): Endpoint => ({ method: 'POST', path });

/** A wire protocol that the agent speaks, under the agent's own name for it. */
export type ApiKind =
  | 'anthropic-messages'
  | 'openai-completions'
  | 'openai-responses'
  | 'openai-decisions'
  | 'google-generative-ai'
  | 'mistral-conversations'
  | 'pi-messages'
  | 'openrouter-images'
  | 'typesafe-system-one';

/**
 * What each API of the agent's needs, and nothing else: no files, no fine-tuning, no administration.
 * Reading the list of models is allowed where the API has it, because agents look up what a key may use.
 */
const API_KINDS: Readonly<Record<ApiKind, ApiDefinition>> = {
  'anthropic-messages': {
    slot: 'x-api-key',
    endpoints: [post(/^\/v1\/messages(?:\/count_tokens)?$/), get(/^\/v1\/models(?:\/[^/]+)*$/)],
  },
  'openai-completions': {
    slot: 'authorization',
    endpoints: [post(/^\/chat\/completions$/), get(/^\/models(?:\/[^/]+)*$/)],
  },
  'openai-responses': {
    slot: 'authorization',
    endpoints: [post(/^\/responses$/), get(/^\/models(?:\/[^/]+)*$/)],
  },
  'openai-decisions': { slot: 'authorization', endpoints: [post(/^\/decisions$/)] },
  'google-generative-ai': {
    slot: 'x-goog-api-key',
    endpoints: [
      post(/^\/models\/[^/:]+:(?:generate[A-Za-z]*|streamGenerateContent|countTokens)$/),
      get(/^\/models(?:\/[^/:]+)*$/),
    ],
  },
  'mistral-conversations': {
    slot: 'authorization',
    endpoints: [post(/^\/v1\/chat\/completions$/), get(/^\/v1\/models(?:\/[^/]+)*$/)],
  },
  'pi-messages': { slot: 'authorization', endpoints: [post(/^\/messages$/)] },
  'openrouter-images': { slot: 'authorization', endpoints: [post(/^\/chat\/completions$/)] },
  // Copilot's agent adds `/v1` to the base by itself.
  'typesafe-system-one': { slot: 'authorization', endpoints: [post(/^\/(?:v1\/)?systemone$/)] },
};

export const isApiKind = (value: string): value is ApiKind => Object.hasOwn(API_KINDS, value);

export const credentialSlot = (kind: ApiKind): CredentialSlot => API_KINDS[kind].slot;

/** Whether an API kind has this method on this raw path below its base. */
export const allows = (kind: ApiKind, method: string, path: string): boolean =>
  API_KINDS[kind].endpoints.some((endpoint) => endpoint.method === method && endpoint.path.test(path));
