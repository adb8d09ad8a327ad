/** A provider whose calls go through the bridge. */
export interface RedirectedProvider {
  /** Provider id as the agent knows it, for instance `anthropic`. */
  readonly id: string;
  /** Host name of the provider's own API. Decoration for the agent, which looks for it inside the base URL. */
  readonly upstreamHost: string;
}

/**
 * Base URL that the agent uses for a redirected provider: `http://127.0.0.1:<port>/<provider>/<upstream host>`.
 * Pi 1.6 switches features on when the base URL contains the provider's real host name.
 */
export const redirectBaseUrl = (port: number, provider: RedirectedProvider): string =>
  `http://127.0.0.1:${port}/${encodeURIComponent(provider.id)}/${encodeURIComponent(provider.upstreamHost)}`;
