import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Credential } from './credential.ts';
import { BrokerError } from './error.ts';
import { createHandler } from './handler.ts';
import { listenOn, type Listen } from './listen.ts';
import { resolveOverrides, upstreamUrl } from './override.ts';
import { PI_ROUTES } from './pi-1.6.gen.ts';
import { indexRoutes, upstreamHosts, type Route } from './route.ts';
import { createBrokerServer } from './server.ts';
import type { Grant } from './session.ts';
import { resolveRoute } from './target.ts';
import { mintToken, tokenDigest } from './token.ts';
import { createUpstream } from './upstream.ts';

export interface BrokerOptions {
  /** Default: nowhere. Such a broker serves the connections that it is handed. */
  readonly listen?: Listen;
  /** Default `PI_ROUTES`. */
  readonly routes?: readonly Route[];
  /** Provider id to base URL: replaces all bases of that provider. Default none. */
  readonly upstreams?: Readonly<Record<string, string>>;
}

export interface SessionOptions {
  /** Unique among the broker's open sessions. Default a random UUID. */
  readonly id?: string;
  readonly credentials: readonly Credential[];
}

/** A provider that a session may use. */
export interface SessionProvider {
  readonly id: string;
  /** Host of the provider's own API, also when its base was overridden. */
  readonly upstreamHost: string;
}

/** What one client may do. Closing it kills its tokens and ends its streams; other sessions go on. */
export interface BrokerSession extends AsyncDisposable {
  readonly id: string;
  /** Variable to session token, one per credential. */
  readonly environment: Readonly<Record<string, string>>;
  readonly providers: readonly SessionProvider[];
  close(): Promise<void>;
}

/** A running broker. Closing it closes its sessions and every connection. */
export interface Broker extends AsyncDisposable {
  /** Undefined for a broker that does not listen. */
  readonly endpoint: Listen | undefined;
  /**
   * Serves HTTP/1.1 on a connection that came another way, as on one of its own: whoever hands it over has decided who may send on it. A
   * closed broker ends it at once.
   */
  accept(connection: Duplex): void;
  /**
   * Opens a session, or returns undefined when there is no credential: then there is nothing to broker.
   * @throws BrokerError `BROKER_CLOSED`, `BROKER_SESSION_EXISTS`, `BROKER_UNKNOWN_PROVIDER`.
   * @throws TypeError when two credentials share a variable or a provider.
   */
  openSession(options: SessionOptions): BrokerSession | undefined;
  close(): Promise<void>;
}

const assertDisjoint = (credentials: readonly Credential[], routes: ReadonlyMap<string, Route>): void => {
  const seen = new Set<string>();
  const once = (name: string): void => {
    if (seen.has(name)) throw new TypeError(`credentials: ${name} must appear once`);
    seen.add(name);
  };
  for (const { variable, providers } of credentials) {
    once(`variable ${variable}`);
    for (const provider of providers) {
      once(`provider ${provider}`);
      if (!routes.has(provider))
        throw new BrokerError('BROKER_UNKNOWN_PROVIDER', `No route has the provider ${JSON.stringify(provider)}`, { provider });
    }
  }
};

/**
 * Starts a broker.
 * @throws BrokerError when it cannot listen where it was told to, or an upstream is not allowed.
 */
export const startBroker = async (options: BrokerOptions): Promise<Broker> => {
  const routes = indexRoutes(options.routes ?? PI_ROUTES);
  for (const { id, apis } of routes.values()) for (const { base } of apis) upstreamUrl(id, base);
  const overrides = resolveOverrides(routes, options.upstreams ?? {});
  const resolved = new Map([...routes].map(([id, route]) => [id, resolveRoute(route, overrides.get(id))]));
  const grants = new Map<string, Grant>();
  const sessions = new Map<string, BrokerSession>();
  const upstream = createUpstream();
  const handler = createHandler({ grants, routes: resolved, upstream });
  // A client that connects will soon send a request.
  const { server, destroyConnections } = createBrokerServer(handler, () => void upstream.load().catch(() => undefined));
  const { listen } = options;
  if (listen !== undefined) await listenOn(server, listen, process.getuid?.());
  let closing: Promise<void> | undefined;

  const openSession = ({ id = randomUUID(), credentials }: SessionOptions): BrokerSession | undefined => {
    if (closing !== undefined) throw new BrokerError('BROKER_CLOSED', 'The broker is closed', { path: listen?.path });
    if (sessions.has(id))
      throw new BrokerError('BROKER_SESSION_EXISTS', `A session ${JSON.stringify(id)} is open`, { session: id });
    assertDisjoint(credentials, routes);
    if (credentials.length === 0) return undefined;
    const exchanges: Grant['exchanges'] = new Set();
    const environment: Record<string, string> = {};
    const digests: string[] = [];
    for (const credential of credentials) {
      const token = mintToken(credential.tokenPrefix);
      const digest = tokenDigest(token);
      environment[credential.variable] = token;
      digests.push(digest);
      grants.set(digest, { session: id, credential, providers: new Set(credential.providers), digest, exchanges });
    }
    const granted = new Set(credentials.flatMap(({ providers }) => providers));
    const close = async (): Promise<void> => {
      for (const digest of digests) grants.delete(digest);
      for (const exchange of exchanges) exchange.end();
      if (sessions.get(id) === session) sessions.delete(id);
    };
    const session: BrokerSession = {
      id,
      environment,
      providers: [...routes.values()]
        .filter((route) => granted.has(route.id))
        .map((route) => ({ id: route.id, upstreamHost: upstreamHosts(route)[0] as string })),
      close,
      [Symbol.asyncDispose]: close,
    };
    sessions.set(id, session);
    return session;
  };

  const shutDown = async (): Promise<void> => {
    // A server that does not listen closes with an error, which says no more than that.
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    for (const session of sessions.values()) await session.close();
    destroyConnections();
    await upstream.close();
    await closed;
  };
  const close = (): Promise<void> => (closing ??= shutDown());

  const accept = (connection: Duplex): void => {
    if (closing === undefined) server.emit('connection', connection);
    else connection.destroy();
  };

  return { endpoint: listen, accept, openSession, close, [Symbol.asyncDispose]: close };
};
