import type { RefusalCode } from './refusal.ts';

const CODES: Readonly<Record<string, RefusalCode>> = {
  UND_ERR_CONNECT_TIMEOUT: 'upstream_timeout',
  UND_ERR_HEADERS_TIMEOUT: 'upstream_timeout',
  UND_ERR_BODY_TIMEOUT: 'upstream_timeout',
  ETIMEDOUT: 'upstream_timeout',
  ENOTFOUND: 'upstream_unresolved',
  EAI_AGAIN: 'upstream_unresolved',
  EAI_FAIL: 'upstream_unresolved',
  ECONNREFUSED: 'upstream_unreachable',
  ENETUNREACH: 'upstream_unreachable',
  EHOSTUNREACH: 'upstream_unreachable',
  ENETDOWN: 'upstream_unreachable',
  EADDRNOTAVAIL: 'upstream_unreachable',
  UND_ERR_SOCKET: 'upstream_lost',
  UND_ERR_HEADERS_OVERFLOW: 'upstream_invalid',
  ERR_INVALID_CHAR: 'upstream_invalid',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'upstream_lost',
};

/** OpenSSL's and Node's names for a certificate that does not hold. */
const CERTIFICATE = /CERT|SIGNATURE|ISSUER|ERR_TLS|ERR_SSL|HOSTNAME/;

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  // Node wraps the attempts on several addresses of one name.
  return error instanceof AggregateError && error.errors.length > 0 ? codeOf(error.errors[0]) : '';
};

/** What kept an upstream from answering. */
export const upstreamFailure = (error: unknown): RefusalCode => {
  const code = codeOf(error);
  const known = CODES[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return 'upstream_invalid';
  return CERTIFICATE.test(code) ? 'upstream_certificate' : 'upstream_lost';
};
