/** Why a request got no answer from its upstream, with the status that the client sees. */
export const REFUSAL_STATUS = {
  unauthorized: 401,
  credential_conflict: 401,
  unknown_provider: 404,
  provider_not_granted: 403,
  path_not_allowed: 403,
  origin_not_allowed: 403,
  host_not_allowed: 403,
  invalid_target: 400,
  invalid_request: 400,
  headers_too_large: 431,
  expectation_not_supported: 417,
  upgrade_not_supported: 426,
  connect_not_supported: 405,
  upstream_unreachable: 502,
  upstream_unresolved: 503,
  upstream_timeout: 504,
  upstream_lost: 502,
  upstream_certificate: 502,
  upstream_invalid: 502,
  upstream_redirect: 502,
} as const;

export type RefusalCode = keyof typeof REFUSAL_STATUS;

/**
 * Texts the agent shows. Pi 1.6 decides by them whether to send the request again: what can never succeed has none of
 * its retry words, and trouble on the host's network has at least one. No text repeats anything from the request.
 */
const MESSAGE: Readonly<Record<RefusalCode, string>> = {
  unauthorized: 'No valid session token in this request.',
  credential_conflict: 'This request carries a second credential beside its session token.',
  unknown_provider: 'No provider has this name.',
  provider_not_granted: 'This session token is not for this provider.',
  path_not_allowed: 'This method and path are not part of the provider API that the session may use.',
  origin_not_allowed: 'Requests from web pages are not accepted.',
  host_not_allowed: 'The Host header must name the loopback interface.',
  invalid_target: 'The request target is not a plain path below a provider.',
  invalid_request: 'This is not a request that the broker can forward.',
  headers_too_large: 'The request header section is too large.',
  expectation_not_supported: 'Only 100-continue can be expected.',
  upgrade_not_supported: 'The broker speaks HTTP/1.1 only; send the request without an Upgrade header.',
  connect_not_supported: 'The broker is not a tunnel.',
  upstream_unreachable: 'The host could not connect to the provider: connection refused or network error.',
  upstream_unresolved: 'The host could not resolve the name of the provider: service unavailable.',
  upstream_timeout: 'The provider did not answer: timed out.',
  upstream_lost: 'The connection to the provider broke before its answer: connection lost.',
  upstream_certificate: 'The host does not accept the TLS certificate of the provider: connection error.',
  upstream_invalid: 'The answer of the provider is not valid HTTP: connection error.',
  upstream_redirect: 'The provider answered with a redirect, which is never followed: provider returned error.',
};

/** A decision not to forward. */
export interface Refusal {
  readonly refused: RefusalCode;
}

export const refuse = (refused: RefusalCode): Refusal => ({ refused });

export const isRefusal = (value: object): value is Refusal => 'refused' in value;

/** JSON body of a refusal, as the original broker shapes it. */
export const refusalBody = (code: RefusalCode): string =>
  JSON.stringify({ error: { type: 'doompi_broker', code, message: MESSAGE[code] } });

/** The whole response as bytes, for a socket that has no response object. The connection ends after it. */
export const rawRefusal = (code: RefusalCode): string => {
  const status = REFUSAL_STATUS[code];
  const body = refusalBody(code);
  const extra = status === 426 ? 'upgrade: HTTP/1.1\r\n' : status === 405 ? 'allow: GET, POST\r\n' : '';
  return (
    `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
    `${extra}connection: close\r\n\r\n${body}`
  );
};
