import type { IncomingHttpHeaders } from 'node:http';
import type { CredentialSlot, ModelApi } from './dialect.ts';

/** One credential that a request carried. The value itself is never kept. */
export interface RecordedCredential {
  readonly slot: CredentialSlot | 'query';
  /** Whether it was the key that the server insists on, in that slot's own form. */
  readonly isRealKey: boolean;
}

export interface RecordedRequest {
  readonly method: string;
  /** Path and query as received. Values of `key`, `api_key` and `access_token` are replaced by `…`. */
  readonly path: string;
  /** Undefined for a path that is none of the server's. */
  readonly api: ModelApi | undefined;
  /** Lower-case names. Headers that carry a credential are left out; `credentials` names them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: readonly RecordedCredential[];
  /** Parsed JSON; undefined when the body is not JSON. */
  readonly body: unknown;
  /** Whether the real key stood anywhere else: in another header, the path or the body. */
  readonly realKeyElsewhere: boolean;
  /** Status answered; undefined while none was. */
  readonly status: number | undefined;
  /** `open` until the answer ended. `aborted`: the client went away first. `died`: the server broke off, as told. */
  readonly outcome: 'open' | 'completed' | 'aborted' | 'died';
}

export type MutableRecord = { -readonly [Field in keyof RecordedRequest]: RecordedRequest[Field] };

const SLOTS: readonly CredentialSlot[] = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'cf-aig-authorization'];

const QUERY_NAMES = ['key', 'api_key', 'access_token'];

const flat = (value: string | readonly string[] | undefined): string => (Array.isArray(value) ? value.join(', ') : String(value));

export const realValue = (slot: CredentialSlot, key: string): string =>
  slot === 'authorization' || slot === 'cf-aig-authorization' ? `Bearer ${key}` : key;

/** The request as it will be reported, with no credential in it. */
export const record = (
  request: { readonly method: string; readonly url: URL; readonly headers: IncomingHttpHeaders; readonly bodyText: string },
  api: ModelApi | undefined,
  key: string,
): MutableRecord => {
  const { method, url, headers, bodyText } = request;
  const credentials: RecordedCredential[] = [];
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const slot = SLOTS.find((candidate) => candidate === name);
    if (slot === undefined) plain[name] = flat(value);
    else credentials.push({ slot, isRealKey: flat(value) === realValue(slot, key) });
  }
  const shown = new URL(url);
  for (const name of QUERY_NAMES) {
    const value = url.searchParams.get(name);
    if (value === null) continue;
    credentials.push({ slot: 'query', isRealKey: value === key });
    shown.searchParams.set(name, '…');
  }
  let body: unknown;
  try {
    body = JSON.parse(bodyText);
  } catch {
    body = undefined;
  }
  const elsewhere = [bodyText, shown.href, ...Object.entries(plain).flat()];
  return {
    method,
    path: shown.pathname + shown.search,
    api,
    headers: plain,
    credentials,
    body,
    realKeyElsewhere: elsewhere.some((text) => text.includes(key)),
    status: undefined,
    outcome: 'open',
  };
};
