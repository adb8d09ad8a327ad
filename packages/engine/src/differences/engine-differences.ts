import type { EngineTraits } from './engine-traits.ts';
import type { EngineVariant } from '../names.ts';

/** Where a row is from: `run` on a machine with that version, or `documentation` of that version. */
export interface Evidence {
  readonly kind: 'run' | 'documentation';
  readonly version: string;
  /** ISO 8601. */
  readonly date: string;
  /** What was run, or what was read, and what it said. */
  readonly shown: string;
}

/** One fact about some variants of an engine. Of two rows for the same trait and variant the later one wins. */
export type EngineDifference = {
  readonly [Trait in keyof EngineTraits]: {
    readonly trait: Trait;
    readonly variants: readonly EngineVariant[];
    /** Version of the command from which on the row holds, `[major, minor]`; absent: every version that is driven. */
    readonly since?: readonly [number, number];
    readonly value: EngineTraits[Trait];
    readonly evidence: Evidence;
  };
}[keyof EngineTraits];

const DOCKER: readonly EngineVariant[] = ['docker', 'docker-rootless', 'docker-userns'];
const PODMAN: readonly EngineVariant[] = ['podman', 'podman-rootless'];
const NERDCTL: readonly EngineVariant[] = ['nerdctl', 'nerdctl-rootless', 'finch'];

const date = '2026-11-30';
const ran =
  (version: string) =>
  (shown: string): Evidence => ({ kind: 'run', version, date, shown });
const documentation = (version: string, shown: string): Evidence => ({ kind: 'documentation', version, date, shown });
const docker = ran('docker 20.10.24');
const podman = ran('podman 4.3.1');
/** docs/command-reference.md of nerdctl and docs/cmd of finch, which is nerdctl in a virtual machine or beside it. */
const nerdctl = (shown: string): Evidence => documentation('nerdctl 2.0, finch 1.0', shown);

const row = <Trait extends keyof EngineTraits>(
  trait: Trait,
  variants: readonly EngineVariant[],
  value: EngineTraits[Trait],
  evidence: Evidence,
  since?: readonly [number, number],
): EngineDifference =>
  ({ trait, variants, value, evidence, ...(since === undefined ? {} : { since }) }) as unknown as EngineDifference;

/** How the engines differ, as data: code branches through `traitsOf` on what matters to it, and documentation is written from all of it. */
export const ENGINE_DIFFERENCES: readonly EngineDifference[] = [
  row('hostGateway', ['docker', 'docker-userns'], 'host', docker('--add-host h:host-gateway: /etc/hosts has the bridge gateway')),
  row(
    'hostGateway',
    ['docker-rootless'],
    'namespace',
    docker("--add-host h:host-gateway: the bridge of rootlesskit's namespace; a listener of the host gives ECONNREFUSED"),
  ),
  row('hostGateway', PODMAN, 'refused', podman('--add-host h:host-gateway: invalid IP address in add-host: "host-gateway"')),
  row(
    'hostGateway',
    PODMAN,
    'host',
    documentation('podman 4.7', 'pull request 19152; issue 14390: "will be included in podman v4.7"'),
    [4, 7],
  ),
  row('hostGateway', NERDCTL, 'host', nerdctl('--add-host: host-gateway is resolved to host-gateway-ip of nerdctl.toml')),
  row('keepId', DOCKER, 'refused', docker('--userns keep-id: invalid USER mode (clients 20.10.24 and 28.2.2)')),
  row('keepId', ['podman'], 'refused', podman('--userns keep-id as root: keep-id is only supported in rootless mode')),
  row('keepId', ['podman-rootless'], 'accepted', podman('--userns keep-id: new files in a bind mount belong to the person')),
  row('keepId', NERDCTL, 'refused', nerdctl('--userns is among the unimplemented flags of run')),
  row('usernsHost', DOCKER, 'accepted', docker('--userns host id -u: 0')),
  row('usernsHost', PODMAN, 'accepted', podman('--userns host id -u: 0')),
  row('usernsHost', NERDCTL, 'refused', nerdctl('--userns is among the unimplemented flags of run')),
  row('identity', ['docker'], 'user', docker('--user U:G: new files in a bind mount belong to U:G')),
  row(
    'identity',
    ['docker-rootless'],
    'container-root',
    docker("container root is the person; --user UID gets EACCES in the person's directory"),
  ),
  row(
    'identity',
    ['docker-userns'],
    'userns-host',
    docker('as root and with --user U:G the mounted directory is EACCES; --userns host --user U:G works'),
  ),
  row('identity', ['podman'], 'user', podman('--user U:G: new files in a bind mount belong to U:G')),
  row(
    'identity',
    ['podman-rootless'],
    'keep-id',
    podman('--userns keep-id: files belong to the person; --user 0 with it makes files of a subordinate uid'),
  ),
  row('identity', ['nerdctl', 'finch'], 'user', nerdctl('-u, --user: username or uid; there is no user namespace')),
  row(
    'identity',
    ['nerdctl-rootless'],
    'container-root',
    nerdctl('docs/rootless.md: containers are in the user namespace of rootlesskit, as with rootless docker'),
  ),
  row('mountRelabel', DOCKER, 'refused', docker("--mount …,relabel=shared: unexpected key 'relabel'")),
  row('mountRelabel', PODMAN, 'accepted', podman('--mount …,relabel=shared: exit status 0')),
  row('mountRelabel', NERDCTL, 'refused', nerdctl('--mount lists no such key for bind')),
  row('volumeLabels', DOCKER, 'mount', docker('--mount type=volume,…,volume-label=a=b: volume inspect shows the label')),
  row(
    'volumeLabels',
    PODMAN,
    'create',
    podman('--mount …,volume-label=a=b: the --volume-label option is not presently implemented'),
  ),
  row(
    'volumeLabels',
    NERDCTL,
    'create',
    nerdctl('--mount: volume-label is among the unimplemented options; volume create knows --label'),
  ),
  row('newVolumeOwner', DOCKER, 'root', docker('--user 1234:1234 on a new volume at /not/there: EACCES, owner root')),
  row(
    'newVolumeOwner',
    PODMAN,
    'first-user',
    podman('--user 1234:1234 on a new volume at /not/there: owner 1234; uid 4321 then gets EACCES'),
  ),
  row('newVolumeOwner', NERDCTL, 'root', nerdctl('nothing is said about another owner')),
  row('tmpfsDefault', DOCKER, 'noexec', docker('--tmpfs /t: noexec in /proc/mounts')),
  row('tmpfsDefault', PODMAN, 'exec', podman('--tmpfs /t: no noexec in /proc/mounts')),
  row(
    'tmpfsDefault',
    NERDCTL,
    'noexec',
    nerdctl('--tmpfs /tmp:size=64m,exec: exec is an option of its own; the default was not seen'),
  ),
  row('init', DOCKER, 'bundled', docker('docker-init is among the components of docker version')),
  row('init', PODMAN, 'catatonit', podman('--init: container-init binary not found, until the package catatonit is installed')),
  row('init', NERDCTL, 'tini', nerdctl('--init-binary: tini, which has to be on PATH')),
  row(
    'proxyVariables',
    DOCKER,
    'kept',
    docker("the client's HTTPS_PROXY is not in the container; its config.json can add proxies"),
  ),
  row(
    'proxyVariables',
    PODMAN,
    'handed-on',
    podman("the client's HTTPS_PROXY is in the container; with --http-proxy=false it is not"),
  ),
  row('proxyVariables', NERDCTL, 'kept', nerdctl('run lists no option for proxies')),
  row('localImagePrefix', DOCKER, '', docker('image inspect: RepoTags has the name as it was given to build')),
  row(
    'localImagePrefix',
    PODMAN,
    'localhost/',
    podman('image inspect NAME: RepoTags has localhost/NAME; the short name is found'),
  ),
  row('localImagePrefix', NERDCTL, '', documentation('nerdctl 2.0', 'pkg/cmd/image/inspect.go: RepoTags has the familiar name')),
  row('volumeNames', DOCKER, 'exact', docker('volume rm of the beginning of a name: no such volume')),
  row('volumeNames', PODMAN, 'beginning', podman('volume rm of the beginning of a name removes that volume, exit status 0')),
  row('volumeNames', NERDCTL, 'exact', documentation('nerdctl 2.0', 'pkg/mountutil/volumestore: the name is a directory')),
  row('volumeLocks', DOCKER, 'safe', docker('12 times four runs at once with the same six volumes: all ended')),
  row(
    'volumeLocks',
    PODMAN,
    'any-order',
    podman('four runs at once with the same six volumes: none ended, and from then on no other command either'),
  ),
  row('volumeLocks', NERDCTL, 'unknown', documentation('nerdctl 2.0', 'nothing is said about runs at the same time')),
  row(
    'missingImage',
    DOCKER,
    'no such image',
    docker('image inspect: Error: No such image, exit status 1 (clients 20.10.24 and 28.2.2)'),
  ),
  row('missingImage', PODMAN, 'image not known', podman('image inspect: image not known, exit status 125')),
  row(
    'missingImage',
    NERDCTL,
    'nothing',
    documentation('nerdctl 2.0', 'pkg/cmd/image/inspect.go: prints nothing and ends with status 0; failures are logged'),
  ),
  row(
    'loopbackNetwork',
    DOCKER,
    'none',
    docker("its networks lead to the bridge gateway; a listener on the host's 127.0.0.1 is out of reach"),
  ),
  row(
    'loopbackNetwork',
    PODMAN,
    'slirp4netns',
    podman(
      '--network slirp4netns:allow_host_loopback=true: a listener on 127.0.0.1 of the host answers at 10.0.2.2; without the option ENETUNREACH',
    ),
  ),
  row('loopbackNetwork', NERDCTL, 'none', nerdctl('--network lists bridge, host, none, container and CNI networks')),
  row('hostName', DOCKER, 'none', docker('/etc/hosts has no name of the host without --add-host')),
  row(
    'hostName',
    PODMAN,
    'host.containers.internal',
    podman("/etc/hosts: rootful the bridge gateway, rootless the host's own address"),
  ),
  row('hostName', NERDCTL, 'none', nerdctl('no name of the host without --add-host is listed')),
  row(
    'limitsOnCgroup1',
    ['docker', 'docker-userns'],
    'enforced',
    docker('values of --memory, --cpus, --pids-limit are in the cgroup'),
  ),
  row('limitsOnCgroup1', ['docker-rootless'], 'ignored', docker('--memory has no effect')),
  row('limitsOnCgroup1', ['podman'], 'enforced', podman('values of --memory, --cpus, --pids-limit are in the cgroup')),
  row('limitsOnCgroup1', ['podman-rootless'], 'ignored', podman('Resource limits are not supported and ignored')),
  row('limitsOnCgroup1', NERDCTL, 'unknown', nerdctl('docs/rootless.md: rootless limits need systemd and cgroup v2')),
];
