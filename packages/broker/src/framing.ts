import { refuse, type Refusal } from './refusal.ts';

/** How the body of a request is delimited. Kept towards the upstream. */
export type Framing =
  | { readonly body: 'none' }
  | { readonly body: 'length'; readonly length: number }
  | { readonly body: 'chunked' };

/**
 * Reads the framing of a request whose head Node's parser accepted.
 * Refused: HTTP/1.0, where the end of an answer cannot be told from its loss; transfer codings other than plain
 * chunked; a body on GET, which servers read differently.
 */
export const requestFraming = (method: string, httpVersion: string, rawHeaders: readonly string[]): Framing | Refusal => {
  if (httpVersion !== '1.1') return refuse('invalid_request');
  let length: string | undefined;
  let coding: string | undefined;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    const value = (rawHeaders[index + 1] as string).trim().toLowerCase();
    if (name === 'content-length') {
      if (length !== undefined) return refuse('invalid_request');
      length = value;
    } else if (name === 'transfer-encoding') {
      if (coding !== undefined) return refuse('invalid_request');
      coding = value;
    }
  }
  if (coding !== undefined) {
    if (coding !== 'chunked' || length !== undefined || method === 'GET') return refuse('invalid_request');
    return { body: 'chunked' };
  }
  if (length === undefined || length === '0') return { body: 'none' };
  const bytes = Number(length);
  if (!/^\d{1,15}$/.test(length) || method === 'GET') return refuse('invalid_request');
  return { body: 'length', length: bytes };
};
