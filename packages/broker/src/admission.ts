import { presentedToken, splitQuery } from './presented.ts';
import { refuseNonLocal } from './local-only.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import { grantOf, type Grant, type GrantTable } from './session.ts';

/** A request whose token is valid. */
export interface Admission {
  readonly grant: Grant;
  readonly token: string;
  /** Raw path. */
  readonly path: string;
  /** Raw query without credentials and without the question mark. */
  readonly query: string;
}

/** The first step of every request, of whatever kind: without a valid token it sees nothing else of the broker. */
export const admit = (grants: GrantTable, rawHeaders: readonly string[], url: string): Admission | Refusal => {
  const mark = url.indexOf('?');
  const query = splitQuery(mark === -1 ? '' : url.slice(mark + 1));
  const token = presentedToken(rawHeaders, query);
  if (typeof token !== 'string') return token;
  const grant = grantOf(grants, token);
  if (isRefusal(grant)) return grant;
  return refuseNonLocal(rawHeaders) ?? { grant, token, path: mark === -1 ? url : url.slice(0, mark), query: query.rest };
};
