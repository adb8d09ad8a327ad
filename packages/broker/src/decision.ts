import { admit } from './admission.ts';
import { requestFraming, type Framing } from './framing.ts';
import { upstreamHeaders } from './headers.ts';
import { isRefusal, type RefusalCode } from './refusal.ts';
import type { Grant, GrantTable } from './session.ts';
import { resolveTarget, type ResolvedRoute, type Target } from './target.ts';

/** What requests are judged by. */
export interface DecisionContext {
  readonly grants: GrantTable;
  readonly routes: ReadonlyMap<string, ResolvedRoute>;
}

/** The head of a request as Node's parser gives it. */
export interface RequestHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly rawHeaders: readonly string[];
}

/** A request that passed every check. */
export interface ForwardPlan {
  readonly method: 'GET' | 'POST';
  readonly target: Target;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  readonly framing: Framing;
}

/** What to do with a request. */
export type Decision =
  | { readonly grant: Grant; readonly provider: string; readonly plan: ForwardPlan }
  | { readonly grant?: Grant; readonly provider?: string; readonly refused: RefusalCode };

/** Session, target, headers: whether and how a request is forwarded. */
export const decide = ({ grants, routes }: DecisionContext, request: RequestHead): Decision => {
  const { rawHeaders, url = '', method = '', httpVersion } = request;
  const admission = admit(grants, rawHeaders, url);
  if (isRefusal(admission)) return admission;
  const { grant, token, path, query } = admission;
  const target = resolveTarget(routes, grant.providers, method, path, query);
  if (isRefusal(target)) return { ...target, grant };
  const { provider } = target;
  const framing = requestFraming(method, httpVersion, rawHeaders);
  if (isRefusal(framing)) return { ...framing, grant, provider };
  const headers = upstreamHeaders(rawHeaders, target, grant.credential, token);
  if (isRefusal(headers)) return { ...headers, grant, provider };
  return { grant, provider, plan: { method: method === 'GET' ? 'GET' : 'POST', target, headers, framing } };
};
