import { refuse, type Refusal } from './refusal.ts';

/** Headers in which a client may present its session token. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'cf-aig-authorization',
]);

/** Headers that carry credentials but no session token of ours: with any value in them, the request is refused. */
const FOREIGN_CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  'proxy-authorization',
  'cookie',
  'cookie2',
  'x-auth-token',
  'x-access-token',
  'x-amz-security-token',
  'x-goog-iam-authorization-token',
  'ocp-apim-subscription-key',
  'cf-access-client-secret',
]);

/** Query parameters that carry credentials, in lower case. */
const CREDENTIAL_PARAMETERS: ReadonlySet<string> = new Set([
  'key',
  '$key',
  'api_key',
  'api-key',
  'apikey',
  'x-api-key',
  'x-goog-api-key',
  'token',
  'auth_token',
  'access_token',
  'oauth_token',
  'bearer_token',
]);

export const isCredentialHeader = (name: string): boolean => CREDENTIAL_HEADERS.has(name) || FOREIGN_CREDENTIAL_HEADERS.has(name);

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

/** A query without its credential parameters, every other byte as it was, and the values that those parameters had. */
export interface SplitQuery {
  /** Without the question mark. */
  readonly rest: string;
  readonly credentials: readonly string[];
}

/** Takes the credential parameters out of a raw query. A name or credential that cannot be decoded counts as a wrong one. */
export const splitQuery = (query: string): SplitQuery => {
  if (query === '') return { rest: '', credentials: [] };
  const rest: string[] = [];
  const credentials: string[] = [];
  for (const pair of query.split('&')) {
    const [name = '', ...value] = pair.split('=');
    const decoded = decode(name);
    if (decoded === undefined) credentials.push('%');
    else if (CREDENTIAL_PARAMETERS.has(decoded.trim().toLowerCase())) credentials.push(decode(value.join('=')) ?? '%');
    else rest.push(pair);
  }
  return { rest: rest.join('&'), credentials };
};

/** `Bearer x`, in any case, and plain `x` are both the credential `x`. */
const withoutScheme = (value: string): string => value.replace(/^bearer(?:[ \t]+|$)/i, '').trim();

/**
 * The one credential that a request presents, wherever it is. Blank slots do not count. Two slots may hold the same
 * value; a second value, or a credential of a kind that is never ours, is a conflict.
 */
export const presentedToken = (rawHeaders: readonly string[], query: SplitQuery): string | Refusal => {
  let token: string | undefined;
  let conflict = false;
  const present = (value: string): void => {
    if (value === '') return;
    token ??= value;
    if (token !== value) conflict = true;
  };
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    const value = (rawHeaders[index + 1] as string).trim();
    if (CREDENTIAL_HEADERS.has(name)) present(withoutScheme(value));
    else if (value !== '' && FOREIGN_CREDENTIAL_HEADERS.has(name)) conflict = true;
  }
  for (const credential of query.credentials) present(credential);
  if (token === undefined) return refuse('unauthorized');
  return conflict ? refuse('credential_conflict') : token;
};
