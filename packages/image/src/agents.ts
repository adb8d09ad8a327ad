/** An agent that a sandbox can run. */
export interface Agent {
  readonly id: AgentId;
  /** Its npm package. */
  readonly package: string;
  /** Version pinned by the lockfile in `assets/agents/<id>`; undefined when the agent's package must be given. */
  readonly version: string | undefined;
  /** Command that starts it in the container. */
  readonly command: string;
  /** Paths below the repository that get a volume of their own, which keeps the agent's configuration apart from the host's. */
  readonly shadowPaths: readonly string[];
  /** Paths below the repository where it installs packages; each gets a volume, because native modules fit one platform only. */
  readonly packagePaths: readonly string[];
  /** TCP ports on which its login flows expect the browser's callback. */
  readonly loginPorts: readonly number[];
}

export type AgentId = 'pi' | 'doompi';

/** Pi's project packages, from npm and from git. All of `.pi` would hide the project's own settings. */
const PACKAGE_PATHS = ['.pi/npm', '.pi/git'];

const LOGIN_PORTS = [1455, 1456, 53692];

export const AGENTS: Readonly<Record<AgentId, Agent>> = {
  pi: {
    id: 'pi',
    package: '@earendil-works/pi-coding-agent',
    version: '1.6.0',
    command: 'pi',
    shadowPaths: [],
    packagePaths: PACKAGE_PATHS,
    loginPorts: LOGIN_PORTS,
  },
  doompi: {
    id: 'doompi',
    package: '@agimon-ai/doompi',
    version: undefined,
    command: 'doompi',
    shadowPaths: ['.pi'],
    packagePaths: PACKAGE_PATHS,
    loginPorts: LOGIN_PORTS,
  },
};

export const isAgentId = (value: string): value is AgentId => Object.hasOwn(AGENTS, value);
