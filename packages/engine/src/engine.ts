import type { EngineName } from './names.ts';

/** Operating system and processor of an image or a server, in the engine's own spelling, such as `linux` and `amd64`. */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
}

/** An engine whose server answered. */
export interface Engine {
  readonly name: EngineName;
  /** Absolute path of its command. */
  readonly file: string;
  readonly clientVersion: string;
  readonly serverVersion: string;
  /** Engine API version that client and server agreed on, such as `1.41`. */
  readonly apiVersion: string;
  /** Platform of the server. */
  readonly platform: Platform;
  /** Environment of its command: what the client itself reads of the host's environment, nothing else. */
  readonly environment: Readonly<Record<string, string>>;
}
