/**
 * Names that the host writes and the container reads.
 * The `DOOMPI_BROKER_*` names are the original launcher's; its extension reads them.
 */

/** Marker of a sandboxed process. Exactly `1` means inside. */
export const SANDBOX_MARKER = 'DOOMPI_SANDBOX';

/** Comma-separated ids of the redirected providers. */
export const BROKER_PROVIDERS = 'DOOMPI_BROKER_PROVIDERS';

/** Path of the broker's Unix socket inside the container. */
export const BROKER_SOCKET = 'DOOMPI_BROKER_SOCKET';

/** TCP port of the bridge on the container's loopback interface. */
export const BROKER_PORT = 'DOOMPI_BROKER_PORT';

/** Directory the launcher mounts, read-only, into every session's container. */
export const SESSION_DIRECTORY = '/run/doompi';

/** File names inside the session directory, the same on host and in the container. */
export const SESSION_ENTRIES = {
  session: 'session',
  /** The agent's user, for the container's name service: see passwd(5) and group(5). */
  passwd: 'passwd',
  group: 'group',
  broker: 'broker.sock',
  lifeline: 'lifeline.sock',
} as const;

/** Directory in memory, open to whatever user the agent runs as, that a container has for the stdio tunnel's socket. */
export const TUNNEL_DIRECTORY = '/run/doompi-tunnel';

/** Unix socket where the bridge waits for the launcher to dial through the engine. */
export const TUNNEL_SOCKET: string = `${TUNNEL_DIRECTORY}/launcher.sock`;

/** Port on 127.0.0.1 where the bridge listens in a container that we created. */
export const BRIDGE_PORT = 8317;

/** Labels on every container, volume and image that a launcher creates. */
export const LABELS = {
  /** Real path of the repository. */
  repository: 'doompi.sandbox.repo',
  /** What tells the repository from another one that is at its path later; on volumes. */
  identity: 'doompi.sandbox.repo-identity',
  /** Session id. */
  session: 'doompi.sandbox.session',
  /** Version of the package that created the object. */
  version: 'doompi.sandbox.version',
  /** Agent id, `pi` or `doompi`. */
  agent: 'doompi.sandbox.agent',
  /** Numeric user id of the launcher's user on the host. */
  uid: 'doompi.sandbox.uid',
  /** Kernel boot id of the host when the launcher started. */
  bootId: 'doompi.sandbox.boot-id',
  /** Inode of the launcher's pid namespace. */
  pidNamespace: 'doompi.sandbox.pid-ns',
  /** Process id of the launcher in its pid namespace. */
  launcherPid: 'doompi.sandbox.launcher-pid',
  /** Start time of the launcher in clock ticks since boot, as in `/proc/<pid>/stat` field 22. */
  launcherStart: 'doompi.sandbox.launcher-start',
} as const;
