import type { TransportName } from '@doompi-sandbox/contract';
import { traitsOf, type Engine, type EngineKind, type EngineName } from '@doompi-sandbox/engine';
import { LaunchError } from '../error.ts';

/** What the person may ask for. */
export const TRANSPORT_SETTINGS = ['auto', 'socket', 'tcp', 'tunnel'] as const;

export type TransportSetting = (typeof TRANSPORT_SETTINGS)[number];

/** What decides about transports in an engine. */
export type TransportEngine = EngineKind & Pick<Engine, 'location'>;

export interface TransportInput {
  readonly setting: TransportSetting;
  readonly engine: TransportEngine;
  /** OCI runtime that the person named. */
  readonly runtime: string | undefined;
}

/** Where the launcher listens for a tcp transport, and what leads a container there. Never all interfaces. */
export type TcpRoute =
  /** On the gateway address of the engine's default network, which is an address of this host's. */
  | { readonly listen: 'gateway' }
  /** On 127.0.0.1, which the container reaches under this name or address; `network` is the mode that opens that way. */
  | { readonly listen: 'loopback'; readonly host: string; readonly network?: string };

export interface TransportPlan {
  /** Best first. */
  readonly candidates: readonly [TransportName, ...TransportName[]];
  /** When the launcher dials the tunnel: with the container's start, or when the container has not connected by itself. */
  readonly dial: 'at-once' | 'when-late' | 'never';
  /** Present when tcp is a candidate. */
  readonly tcp?: TcpRoute;
}

/** Runtimes with a kernel of their own: a mounted socket may not open there. */
const OWN_KERNEL = /^(?:runsc|kata)/;

/** Names under which virtual machines' engines announce the host to containers. */
const HOST_NAMES: Readonly<Record<EngineName, string>> = {
  docker: 'host.docker.internal',
  podman: 'host.containers.internal',
  nerdctl: 'host.docker.internal',
  finch: 'host.lima.internal',
};

const unsupported = (engine: TransportEngine, why: string): LaunchError =>
  new LaunchError(
    'LAUNCH_TRANSPORT_UNSUPPORTED',
    `a session on ${engine.name} cannot reach this launcher by tcp: ${why}; leave the transport to auto, or use --transport tunnel`,
    { transport: 'tcp', engine: engine.name },
  );

/** slirp4netns' address of the host's loopback interface (slirp4netns(1), `--disable-host-loopback`). */
const SLIRP_HOST = '10.0.2.2';

const tcpRoute = (engine: TransportEngine): TcpRoute => {
  const { name, location, rootless } = engine;
  const { loopbackNetwork, hostGateway } = traitsOf(engine);
  if (location === 'remote') throw unsupported(engine, 'it is itself reached over tcp or ssh, and may be on another machine');
  if (location === 'vm') return { listen: 'loopback', host: HOST_NAMES[name] };
  if (loopbackNetwork === 'slirp4netns')
    return { listen: 'loopback', host: SLIRP_HOST, network: 'slirp4netns:allow_host_loopback=true' };
  if (rootless || hostGateway !== 'host')
    throw unsupported(engine, "a rootless engine's gateway is an address of its own network namespace, not of this host");
  return { listen: 'gateway' };
};

const automatic = ({ engine, runtime }: TransportInput): TransportPlan => {
  if (engine.location === 'remote') return { candidates: ['tunnel'], dial: 'at-once' };
  if (engine.location === 'vm') return { candidates: ['tcp', 'tunnel'], dial: 'when-late', tcp: tcpRoute(engine) };
  const ownKernel = runtime !== undefined && OWN_KERNEL.test(runtime);
  return { candidates: ['socket', 'tunnel'], dial: ownKernel ? 'at-once' : 'when-late' };
};

/**
 * Decides by which transports a session may reach its launcher. What was named is not replaced by anything else.
 * @throws LaunchError LAUNCH_TRANSPORT_UNSUPPORTED when a tcp that was named cannot lead to this host.
 */
export const planTransports = (input: TransportInput): TransportPlan => {
  const { setting, engine } = input;
  switch (setting) {
    case 'auto':
      return automatic(input);
    case 'socket':
      return { candidates: ['socket'], dial: 'never' };
    case 'tcp':
      return { candidates: ['tcp'], dial: 'never', tcp: tcpRoute(engine) };
    case 'tunnel':
      return { candidates: ['tunnel'], dial: 'at-once' };
  }
};
