import { ENGINE_NAMES, type EngineName } from '../names.ts';

/** Names, and prefixes that end in `_`, of what each client obeys itself. */
const READ: Readonly<Record<EngineName, readonly string[]>> = {
  docker: ['DOCKER_'],
  // containers.conf(5), containers-storage.conf(5), podman(1) "Environment variables" and "Rootless mode", buildah(1).
  podman: [
    'CONTAINER_',
    'CONTAINERS_',
    '_CONTAINERS_',
    'PODMAN_',
    'STORAGE_',
    'BUILDAH_',
    'REGISTRY_AUTH_FILE',
    'XDG_RUNTIME_DIR',
    'XDG_CONFIG_HOME',
    'XDG_DATA_HOME',
    'XDG_CACHE_HOME',
    'TMPDIR',
  ],
  // nerdctl's docs/config.md, docs/registry.md and docs/rootless.md.
  nerdctl: [
    'CONTAINERD_',
    'NERDCTL_',
    'BUILDKIT_HOST',
    'CNI_PATH',
    'NETCONFPATH',
    'DOCKER_',
    'XDG_RUNTIME_DIR',
    'XDG_CONFIG_HOME',
    'XDG_DATA_HOME',
  ],
  finch: ['CONTAINERD_', 'NERDCTL_', 'BUILDKIT_HOST', 'CNI_PATH', 'NETCONFPATH', 'DOCKER_', 'FINCH_', 'LIMA_', 'XDG_CONFIG_HOME'],
};

/** Whether this engine's client itself obeys the variable, so that it cannot carry another value into a container. */
export const isClientVariable = (name: string, engine: EngineName): boolean =>
  name === 'PATH' || name === 'HOME' || READ[engine].some((read) => (read.endsWith('_') ? name.startsWith(read) : name === read));

export const isVariableOfAnyClient = (name: string): boolean => ENGINE_NAMES.some((engine) => isClientVariable(name, engine));
