import { timingSafeEqual } from 'node:crypto';
import type { Credential } from './credential.ts';
import { refuse, type Refusal } from './refusal.ts';
import { tokenDigest } from './token.ts';

/** What a valid token opens. */
export interface Grant {
  readonly session: string;
  readonly credential: Credential;
  readonly providers: ReadonlySet<string>;
  readonly digest: string;
  /** Ends when the session does. */
  readonly exchanges: Set<{ end(): void }>;
}

/** Grants by token digest. Tokens themselves are never kept. */
export type GrantTable = ReadonlyMap<string, Grant>;

/** The grant of a token, or a refusal. */
export const grantOf = (grants: GrantTable, token: string): Grant | Refusal => {
  const digest = tokenDigest(token);
  const grant = grants.get(digest);
  if (grant === undefined || !timingSafeEqual(Buffer.from(grant.digest), Buffer.from(digest))) return refuse('unauthorized');
  return grant;
};
