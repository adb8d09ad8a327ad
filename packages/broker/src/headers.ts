import { credentialSlot } from './api-kind.ts';
import type { Credential } from './credential.ts';
import { hopByHopNames } from './hop-by-hop.ts';
import { isCredentialHeader } from './presented.ts';
import { refuse, type Refusal } from './refusal.ts';
import type { Target } from './target.ts';

/**
 * Not for the upstream: what belongs to our own connection, what speaks about this machine, and what asks a server to
 * take the request for another method or path than the one that was checked.
 */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  'host',
  'expect',
  'content-length',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-forwarded-proto',
  'x-real-ip',
  'x-original-url',
  'x-rewrite-url',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
]);

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/**
 * Headers for the upstream, as name, value, name, value: exactly one credential, in the slot of the API, and no trace
 * of the session token in a header or in the path and query.
 */
export const upstreamHeaders = (
  rawHeaders: readonly string[],
  { kind, path }: Target,
  credential: Credential,
  token: string,
): readonly string[] | Refusal => {
  if (path.includes(token) || decoded(path).includes(token)) return refuse('credential_conflict');
  const dropped = hopByHopNames(rawHeaders);
  const headers: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] as string;
    const name = raw.toLowerCase();
    const value = rawHeaders[index + 1] as string;
    if (NOT_FORWARDED.has(name) || dropped.has(name) || isCredentialHeader(name)) continue;
    if (value.includes(token) || raw.includes(token)) return refuse('credential_conflict');
    headers.push(raw, value);
  }
  if (credential.scheme === 'bearer' || credentialSlot(kind) === 'authorization')
    headers.push('authorization', `Bearer ${credential.value}`);
  else headers.push(credentialSlot(kind), credential.value);
  return headers;
};

/** Not for the client: cookies, ways to another host, and permissions for web pages. */
const NOT_RELAYED: ReadonlySet<string> = new Set([
  'set-cookie',
  'set-cookie2',
  'location',
  'content-location',
  'refresh',
  'alt-svc',
  'link',
  'clear-site-data',
  'strict-transport-security',
]);

/** Headers for the client, as name, value, name, value. */
export const clientHeaders = (rawHeaders: readonly string[]): string[] => {
  const dropped = hopByHopNames(rawHeaders);
  const headers: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    if (dropped.has(name) || NOT_RELAYED.has(name) || name.startsWith('access-control-')) continue;
    headers.push(rawHeaders[index] as string, rawHeaders[index + 1] as string);
  }
  return headers;
};
