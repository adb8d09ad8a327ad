import { BrokerError } from './error.ts';
import type { Route } from './route.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Checks base URLs that replace those of providers: https anywhere, plain http to loopback only, where no network
 * can read the key.
 * @throws BrokerError `BROKER_UNKNOWN_PROVIDER`, `BROKER_UPSTREAM_REFUSED`.
 */
export const resolveOverrides = (
  routes: ReadonlyMap<string, Route>,
  upstreams: Readonly<Record<string, string>>,
): ReadonlyMap<string, URL> => {
  const overrides = new Map<string, URL>();
  for (const [provider, base] of Object.entries(upstreams)) {
    if (!routes.has(provider))
      throw new BrokerError('BROKER_UNKNOWN_PROVIDER', `No route has the provider ${JSON.stringify(provider)}`, { provider });
    overrides.set(provider, upstreamUrl(provider, base));
  }
  return overrides;
};

/** A base URL as a URL. @throws BrokerError `BROKER_UPSTREAM_REFUSED`. */
export const upstreamUrl = (provider: string, base: string): URL => {
  const refused = (problem: string): BrokerError =>
    new BrokerError('BROKER_UPSTREAM_REFUSED', `The upstream of ${provider} ${problem}`, { provider, problem });
  const url = URL.parse(base);
  if (url === null) throw refused('is not a URL');
  if (url.username !== '' || url.password !== '') throw refused('must not hold a user name or password');
  if (url.search !== '' || url.hash !== '') throw refused('must not have a query or fragment');
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) throw refused('must use https: plain http is for loopback only');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('must use https');
  return url;
};
