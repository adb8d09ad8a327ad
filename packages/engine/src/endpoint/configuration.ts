import { isAbsolute } from 'node:path';
import { engineError } from '../error.ts';
import { isInside } from '../command/find-program.ts';
import type { EngineName } from '../names.ts';

/**
 * Variables that name a file or directory of configuration, which may name programs in turn (plug-ins, credential helpers, OCI
 * runtimes): docker's DOCKER_CONFIG, containers.conf(5) and containers-storage.conf(5), nerdctl's docs/config.md.
 */
const VARIABLES: Readonly<Record<EngineName, readonly string[]>> = {
  docker: ['DOCKER_CONFIG', 'DOCKER_CERT_PATH', 'BUILDX_CONFIG'],
  podman: [
    'CONTAINERS_CONF',
    'CONTAINERS_CONF_OVERRIDE',
    'CONTAINERS_STORAGE_CONF',
    'CONTAINERS_REGISTRIES_CONF',
    // Where conmon, netavark and slirp4netns are looked for (containers.conf(5), helper_binaries_dir).
    'CONTAINERS_HELPER_BINARY_DIR',
    'REGISTRY_AUTH_FILE',
    'XDG_CONFIG_HOME',
    'XDG_DATA_HOME',
  ],
  nerdctl: ['NERDCTL_TOML', 'DOCKER_CONFIG', 'CNI_PATH', 'NETCONFPATH', 'XDG_CONFIG_HOME'],
  finch: ['NERDCTL_TOML', 'DOCKER_CONFIG', 'CNI_PATH', 'NETCONFPATH', 'XDG_CONFIG_HOME'],
};

/**
 * Refuses configuration that a repository could have brought along. Where the home directory itself is in the repository, the
 * default places are as well, and nothing is refused for lying inside.
 * @throws EngineError ENGINE_CONFIGURATION_REFUSED
 */
export const assertTrustedConfiguration = (
  engine: EngineName,
  environment: Readonly<Record<string, string | undefined>>,
  exclude: readonly string[],
): void => {
  const home = environment['HOME'];
  const directories = exclude.filter((directory) => home === undefined || !isInside([directory], home));
  for (const variable of VARIABLES[engine]) {
    const value = environment[variable];
    if (value === undefined || value === '') continue;
    const reason = isAbsolute(value) ? (isInside(directories, value) ? 'inside-repository' : undefined) : 'relative';
    if (reason === undefined) continue;
    const why =
      reason === 'relative'
        ? 'is a relative path, which may lie in the repository'
        : 'lies in the repository, whose files must not decide what runs on this host';
    throw engineError(
      'ENGINE_CONFIGURATION_REFUSED',
      `${engine} is not used: ${variable} ${why}. Unset it or give an absolute path outside.`,
      { engine, variable, reason },
    );
  }
};
