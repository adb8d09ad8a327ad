import type { Endpoint, EndpointSource } from './endpoint/endpoint.ts';
import type { EngineName } from './names.ts';

/** Operating system and processor of an image or a server, in the engine's own spelling, such as `linux` and `amd64`. */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
}

/**
 * Where containers run, as far as it is known: `native` on this kernel, `vm` in a virtual machine of this computer, `remote` behind
 * tcp or ssh, where nothing says whether the two share files.
 */
export type EngineLocation = 'native' | 'vm' | 'remote';

/** An engine whose server answered. */
export interface Engine {
  /** What the engine says it is, whatever its command is called. */
  readonly name: EngineName;
  /** Absolute path of its command; a file called `docker` may be Podman. */
  readonly file: string;
  readonly clientVersion: string;
  readonly serverVersion: string;
  /** Engine API version that client and server agreed on, such as `1.41`; for podman its own. Empty for an engine without an API. */
  readonly apiVersion: string;
  /** Platform of the server. */
  readonly platform: Platform;
  /** The server runs as an ordinary user: container root is that user. */
  readonly rootless: boolean;
  /** Docker's userns-remap: every container id is another id on the host, unless the run asks for the host's user namespace. */
  readonly usernsRemap: boolean;
  readonly location: EngineLocation;
  /** Undefined for an engine that has no server to connect to (podman on this machine, nerdctl, finch). */
  readonly endpoint: Endpoint | undefined;
  /** Undefined without an endpoint. */
  readonly endpointSource: EndpointSource | undefined;
  /** SELinux is enforcing on this host and containers run on its kernel: an unlabelled bind mount is denied to them. */
  readonly selinux: boolean;
  /** Environment of its command: what the client itself reads of the host's environment, nothing else, and the endpoint. */
  readonly environment: Readonly<Record<string, string>>;
}
