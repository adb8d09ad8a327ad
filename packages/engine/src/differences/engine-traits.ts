/** What differs between engines and decides what they are told. The table `ENGINE_DIFFERENCES` says where each is from. */
export interface EngineTraits {
  /** What `--add-host NAME:host-gateway` leads to: this host, a namespace of the engine's own, or a refusal. */
  readonly hostGateway: 'host' | 'namespace' | 'refused';
  /** `--userns keep-id`. */
  readonly keepId: 'accepted' | 'refused';
  /** `--userns host`. */
  readonly usernsHost: 'accepted' | 'refused';
  /**
   * How files of a bind mount come to belong to the person: `--user` with their ids, `--userns keep-id` and `--user`, container root
   * and never `--user`, or `--userns host` and `--user` at the price of the remap.
   */
  readonly identity: 'user' | 'keep-id' | 'container-root' | 'userns-host';
  /** `relabel=shared` in `--mount` (SELinux). */
  readonly mountRelabel: 'accepted' | 'refused';
  /** Where the labels of a new volume go: into `--mount`, or into a `volume create` before the run. */
  readonly volumeLabels: 'mount' | 'create';
  /**
   * Who can write a new volume that is mounted where the image has no directory: root alone, or the user of the container that first
   * mounts it. Where the image has the directory, the volume takes its owner and mode over.
   */
  readonly newVolumeOwner: 'root' | 'first-user';
  /** Whether `--tmpfs` without options may hold programs. */
  readonly tmpfsDefault: 'exec' | 'noexec';
  /** `--init`: comes with the engine, or needs a program of the host. */
  readonly init: 'bundled' | 'catatonit' | 'tini';
  /** Whether the client hands its own proxy variables to the container unasked. */
  readonly proxyVariables: 'handed-on' | 'kept';
  /** What the engine puts before the name of an image that was built or tagged without a registry. */
  readonly localImagePrefix: '' | 'localhost/';
  /** A volume's name may be given by its beginning. */
  readonly volumeNames: 'exact' | 'beginning';
  /** Containers that are created at the same time with the same volumes: some engines then lock them in any order and never end. */
  readonly volumeLocks: 'safe' | 'any-order' | 'unknown';
  /** How an image that is not there is told: words of the complaint, or an empty answer. */
  readonly missingImage: 'no such image' | 'image not known' | 'nothing';
  /** A network in which the host's loopback is reachable: `slirp4netns:allow_host_loopback=true`, at 10.0.2.2. */
  readonly loopbackNetwork: 'slirp4netns' | 'none';
  /** Name in every container's `/etc/hosts` that means this host. */
  readonly hostName: 'host.containers.internal' | 'none';
  /** `--memory`, `--cpus`, `--pids-limit` on cgroup v1. */
  readonly limitsOnCgroup1: 'enforced' | 'ignored' | 'unknown';
}
