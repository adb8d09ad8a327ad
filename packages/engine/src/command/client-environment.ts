import { delimiter } from 'node:path';
import { trustedPathEntries } from './find-program.ts';

/**
 * What an engine's command and its helpers (credential helpers, ssh, plug-ins) read. Everything else of the host's environment
 * stays away from it, so that `-e NAME` can only carry what its caller handed over for that run.
 */
const NAMES: ReadonlySet<string> = new Set(
  [
    'PATH HOME USER LOGNAME SHELL TMPDIR LANG LANGUAGE TZ TERM COLORTERM NO_COLOR',
    'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy',
    'SSL_CERT_FILE SSL_CERT_DIR SSH_AUTH_SOCK SSH_AGENT_PID DBUS_SESSION_BUS_ADDRESS GNUPGHOME PASSWORD_STORE_DIR',
    'REGISTRY_AUTH_FILE NETCONFPATH',
    'USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA ProgramData ProgramFiles SystemRoot ComSpec',
  ].flatMap((line) => line.split(' ')),
);
const PREFIXES = [
  'DOCKER_ BUILDKIT_ BUILDX_ XDG_ LC_',
  'CONTAINER_ CONTAINERS_ PODMAN_ STORAGE_ BUILDAH_',
  'CONTAINERD_ NERDCTL_ CNI_ FINCH_ LIMA_',
].flatMap((line) => line.split(' '));

const isRead = (name: string): boolean => NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));

/** Environment for an engine's command. PATH loses the entries that are not trusted, because the client finds its helpers there. */
export const clientEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
  exclude: readonly string[],
): Record<string, string> => {
  const client: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value !== undefined && isRead(name)) client[name] = value;
  if (client['PATH'] !== undefined) client['PATH'] = trustedPathEntries({ path: client['PATH'], exclude }).join(delimiter);
  return client;
};
