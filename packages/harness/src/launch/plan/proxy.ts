import type { Notice } from '../../notice.ts';
import type { Environment } from '../settings/settings.ts';

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
const EXCLUSIONS = ['NO_PROXY', 'no_proxy'];

/**
 * Every variable that an engine's client may set in a container by its own configuration (`proxies` in docker's `config.json`), with
 * credentials in it. Named without a value, it stays unset.
 */
export const PROXY_VARIABLES: readonly string[] = [...PROXIES, ...EXCLUSIONS, 'FTP_PROXY', 'ftp_proxy'];

/** Never to be sent to a proxy: the bridge listens there, and the request carries the session's token. */
const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

type Withheld = Extract<Notice, { code: 'proxy-withheld' }>['reason'];

const withheld = (value: string): Withheld | undefined => {
  // Curl's spelling `host:port`, without a scheme, is common in these variables.
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(url)) return 'unreadable';
  const { username, password, hostname } = new URL(url);
  if (username !== '' || password !== '') return 'credentials';
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.') ? 'loopback' : undefined;
};

/**
 * The host's proxy variables as the container gets them: a proxy on the host's loopback or with credentials stays outside, and both
 * spellings of `NO_PROXY` exclude loopback. Pi's client honours `NO_PROXY` only by literal address, lower case first.
 */
export const proxyEnvironment = (
  environment: Environment,
): { readonly values: Readonly<Record<string, string>>; readonly notices: readonly Notice[] } => {
  const values: Record<string, string> = {};
  const notices: Notice[] = [];
  for (const variable of PROXIES) {
    const value = environment[variable];
    if (value === undefined || value === '') continue;
    const reason = withheld(value);
    if (reason === undefined) values[variable] = value;
    else notices.push({ code: 'proxy-withheld', variable, reason });
  }
  const exclusions = new Set([
    ...EXCLUSIONS.flatMap((name) => (environment[name] ?? '').split(',')).map((entry) => entry.trim()),
    ...LOOPBACK,
  ]);
  exclusions.delete('');
  for (const name of EXCLUSIONS) values[name] = [...exclusions].join(',');
  return { values, notices };
};
