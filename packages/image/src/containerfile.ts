import { SESSION_DIRECTORY } from '@doompi-sandbox/contract';
import { CERTIFICATE_ENVIRONMENT } from './certificates.ts';
import {
  AGENT_DIRECTORY,
  AGENT_HOME,
  CONTEXT,
  ENTRYPOINT,
  HOME_DIRECTORY,
  IMAGE_ROOT,
  PACKAGE_STORES,
  SETTINGS_FILE,
  SHIM_DIRECTORY,
} from './layout.ts';

export interface ContainerfileSpec {
  readonly baseImage: string;
  /** Debian packages. */
  readonly packages: readonly string[];
  /** The context holds certificates of the host. */
  readonly certificates: boolean;
  /** Arguments of `npm` that install the agent. */
  readonly install: readonly string[];
  /** The agent's command, linked to where npm itself would put it. */
  readonly command: string;
}

/** Oldest Node that bridge and extension run on. */
const NODE_CHECK =
  'const [a, b] = process.versions.node.split(".").map(Number);' +
  'if (a < 22 || (a === 22 && b < 19)) throw new Error(`the base image has Node ${process.versions.node}; 22.19 or newer is needed`)';

/** Any uid may run here, and volumes take over these modes. */
const WRITABLE = [HOME_DIRECTORY, `${HOME_DIRECTORY}/.pi`, AGENT_HOME, ...PACKAGE_STORES].join(' ');

/**
 * The launcher says who the user is; it cannot be said here, where the number is not known. libnss-cache reads these files before the
 * image's own. They are links into the session directory, which nothing inside can write.
 */
const NAME_SERVICE = [
  `sed -i -E 's/^(passwd|group):/& cache/' /etc/nsswitch.conf`,
  ...['passwd', 'group'].map((name) => `ln -sf ${SESSION_DIRECTORY}/${name} /etc/${name}.cache`),
];

/** The package's name reaches npm as an argument; no shell reads it. npm's cache never becomes part of a layer. */
const installStep = (install: readonly string[]): string =>
  JSON.stringify(['sh', '-c', 'npm --cache /tmp/npm-cache "$@" && rm -rf /tmp/npm-cache', 'npm', ...install]);

const environment = (variables: Readonly<Record<string, string>>): string =>
  ['ENV', ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)].join(' ');

/**
 * Text of the Containerfile. Uses only what both the legacy builder and BuildKit know. Steps that change seldom come first;
 * nothing of ours that changes with a release stands before the agent's installation.
 */
export const containerfile = (spec: ContainerfileSpec): string => {
  const { certificates } = spec;
  const apt = [
    'apt-get -o Acquire::Retries=3 update',
    `DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 install --yes --no-install-recommends ${spec.packages.join(' ')}`,
    'rm -rf /var/lib/apt/lists/*',
    ...(certificates ? ['update-ca-certificates'] : []),
    ...NAME_SERVICE,
  ];
  const home = [
    // Whatever umask the builder has.
    `install -d -m 0777 ${WRITABLE}`,
    `install -m 0666 ${IMAGE_ROOT}/${SETTINGS_FILE} ${AGENT_HOME}/${SETTINGS_FILE}`,
  ];
  const lines = [
    `FROM ${spec.baseImage}`,
    'USER root',
    `RUN ${JSON.stringify(['node', '-e', NODE_CHECK])}`,
    ...(certificates ? [`COPY ${CONTEXT.certificates}/ /usr/local/share/ca-certificates/doompi/`] : []),
    `RUN ${apt.join(' && ')}`,
    ...(certificates ? [environment(CERTIFICATE_ENVIRONMENT)] : []),
    `WORKDIR ${AGENT_DIRECTORY}`,
    `COPY ${CONTEXT.agent}/ ./`,
    `RUN ${installStep(spec.install)}`,
    // npm's own directory for commands, so that "npx pi" finds the agent. A package without the command leaves a dangling link.
    `RUN ln -sf ${AGENT_DIRECTORY}/node_modules/.bin/${spec.command} /usr/local/bin/${spec.command}`,
    `COPY ${CONTEXT.root}/ ${IMAGE_ROOT}/`,
    `RUN ${home.join(' && ')}`,
    environment({
      HOME: HOME_DIRECTORY,
      PI_CODING_AGENT_DIR: AGENT_HOME,
      LANG: 'C.UTF-8',
      PATH: `${SHIM_DIRECTORY}:$PATH`,
    }),
    'WORKDIR /',
    `ENTRYPOINT ${JSON.stringify(ENTRYPOINT)}`,
  ];
  return `${lines.join('\n')}\n`;
};
