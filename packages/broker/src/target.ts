import { allows, type ApiKind } from './api-kind.ts';
import { isConfined } from './path.ts';
import { refuse, type Refusal } from './refusal.ts';
import type { Route } from './route.ts';
import { upstreamHosts } from './route.ts';

/** A base that requests are appended to. */
interface ResolvedApi {
  readonly kind: ApiKind;
  readonly origin: string;
  /** Path of the base, without a trailing slash. */
  readonly path: string;
}

/** A route in the shape that each request needs. */
export interface ResolvedRoute {
  readonly id: string;
  /** Hosts of the route's own bases as a path segment, also when the base was overridden: the agent writes them into its URLs. */
  readonly decorations: ReadonlySet<string>;
  readonly apis: readonly ResolvedApi[];
}

/** Where a request goes. */
export interface Target {
  readonly provider: string;
  readonly kind: ApiKind;
  /** Scheme, host and port of a base of the route. Nothing in a request changes it. */
  readonly origin: string;
  /** Path and query, raw. */
  readonly path: string;
}

/** Prepares a route; with an override, all its bases are that one. */
export const resolveRoute = (route: Route, override: URL | undefined): ResolvedRoute => ({
  id: route.id,
  decorations: new Set(upstreamHosts(route).flatMap((host) => [host, encodeURIComponent(host)])),
  apis: route.apis.map(({ kind, base }) => {
    const { origin, pathname } = override ?? new URL(base);
    return { kind, origin, path: pathname.replace(/\/+$/, '') };
  }),
});

const PROVIDER = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/**
 * Finds where a raw request path goes: `/<provider>[/<upstream host>]/<path of an API>`.
 * Everything behind the provider and the decoration arrives byte-identical.
 */
export const resolveTarget = (
  routes: ReadonlyMap<string, ResolvedRoute>,
  granted: ReadonlySet<string>,
  method: string,
  path: string,
  query: string,
): Target | Refusal => {
  if (!isConfined(path)) return refuse('invalid_target');
  const end = path.indexOf('/', 1);
  const provider = end === -1 ? path.slice(1) : path.slice(1, end);
  if (!PROVIDER.test(provider)) return refuse('invalid_target');
  const route = routes.get(provider);
  if (route === undefined) return refuse('unknown_provider');
  if (!granted.has(provider)) return refuse('provider_not_granted');
  let rest = end === -1 ? '' : path.slice(end);
  const hostEnd = rest.indexOf('/', 1);
  const host = hostEnd === -1 ? rest.slice(1) : rest.slice(1, hostEnd);
  if (route.decorations.has(host)) rest = hostEnd === -1 ? '' : rest.slice(hostEnd);
  const api = route.apis.find(({ kind }) => allows(kind, method, rest));
  if (api === undefined) return refuse('path_not_allowed');
  return { provider, kind: api.kind, origin: api.origin, path: `${api.path}${rest}${query === '' ? '' : `?${query}`}` };
};
