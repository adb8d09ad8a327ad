/** Paths inside the image, which the launcher and the agent's settings rely on, and in the build context. */

/** Root-owned directory of everything that is ours. */
export const IMAGE_ROOT = '/opt/doompi';

/** Started by the entrypoint; gets the agent's command line as its arguments. */
export const BRIDGE_FILE: string = `${IMAGE_ROOT}/bridge.mjs`;

/** The Pi extension that sends brokered providers through the bridge. */
export const EXTENSION_FILE: string = `${IMAGE_ROOT}/extension.mjs`;

/** First on PATH. */
export const SHIM_DIRECTORY: string = `${IMAGE_ROOT}/bin`;

/** Holds the agent's `node_modules`. */
export const AGENT_DIRECTORY: string = `${IMAGE_ROOT}/agent`;

/** HOME of the agent. The image's directory seeds the volume that is mounted here. */
export const HOME_DIRECTORY = '/doompi-home';

/** PI_CODING_AGENT_DIR. */
export const AGENT_HOME: string = `${HOME_DIRECTORY}/.pi/agent`;

/** Where the agent installs packages for all projects; each is a volume of its own inside the home's. */
export const PACKAGE_STORES: readonly string[] = ['npm', 'git'].map((store) => `${AGENT_HOME}/${store}`);

/** Empty directory that any user can write: gives its mode to a new volume. */
export const VOLUME_SEED: string = `${AGENT_HOME}/npm`;

/** PID 1 reaps what the agent leaves behind; the bridge starts the agent. */
export const ENTRYPOINT: readonly string[] = ['/usr/bin/tini', '--', 'node', BRIDGE_FILE];

/** Directories of the build context. */
export const CONTEXT = {
  /** One certificate per file, as `update-ca-certificates` wants them. */
  certificates: 'certificates',
  /** What the agent is installed from. */
  agent: 'agent',
  /** Becomes {@link IMAGE_ROOT}. */
  root: 'root',
} as const;

/** File of {@link CONTEXT}.root that seeds Pi's settings. */
export const SETTINGS_FILE = 'settings.json';
