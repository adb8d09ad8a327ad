import { isApiKind, type ApiKind } from './api-kind.ts';

/** Where a credential travels: in the slot of the API kind, or always as `Authorization: Bearer`. */
export type CredentialScheme = 'api-kind' | 'bearer';

/** A variable that may hold a provider's key. */
export interface RouteVariable {
  readonly name: string;
  /** Default `api-kind`. */
  readonly scheme?: CredentialScheme;
  /** Start of the session tokens made for this variable; the agent tells kinds of keys apart by it. Default `sk-`. */
  readonly tokenPrefix?: string;
}

/** One API of a provider. */
export interface RouteApi {
  readonly kind: ApiKind;
  /** Base URL without a trailing slash. */
  readonly base: string;
}

/** A provider that can be brokered: data, normally generated from the agent's catalogue. */
export interface Route {
  /** Provider id as the agent knows it. Letters, digits, `.`, `_`, `-`. */
  readonly id: string;
  /** In the agent's order: the first that is set wins. */
  readonly variables: readonly RouteVariable[];
  /** Never empty. The kind is chosen by the request path; where two would match, the first wins. */
  readonly apis: readonly RouteApi[];
}

/** A provider of the agent's catalogue that has no route, and why. */
export interface ExcludedProvider {
  readonly id: string;
  readonly reason: 'templated-base' | 'user-supplied-base' | 'request-signing' | 'oauth-only';
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Checks routes and indexes them by provider id. @throws TypeError naming the route. */
export const indexRoutes = (routes: readonly Route[]): ReadonlyMap<string, Route> => {
  const index = new Map<string, Route>();
  for (const route of routes) {
    if (!ID.test(route.id)) throw new TypeError(`routes: id must match ${ID}, got ${JSON.stringify(route.id)}`);
    if (index.has(route.id)) throw new TypeError(`routes: id must be unique, got ${route.id} twice`);
    if (route.apis.length === 0) throw new TypeError(`routes: ${route.id} must have an API`);
    for (const { kind, base } of route.apis) {
      if (!isApiKind(kind)) throw new TypeError(`routes: ${route.id} must have known API kinds, got ${JSON.stringify(kind)}`);
      const url = URL.parse(base);
      if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
        throw new TypeError(`routes: ${route.id} must have a plain base URL, got ${JSON.stringify(base)}`);
    }
    index.set(route.id, route);
  }
  return index;
};

/** Host names of a route's own bases, the first one first. */
export const upstreamHosts = (route: Route): readonly string[] => [...new Set(route.apis.map(({ base }) => new URL(base).host))];
