import { type Engine, formatEndpoint } from '@doompi-sandbox/engine';

/** What an engine says of itself, as JSON. */
export interface EngineFacts {
  readonly name: string;
  readonly clientVersion: string;
  readonly serverVersion: string;
  readonly apiVersion: string;
  /** Of the server, such as `linux/amd64`. */
  readonly platform: string;
  /** Such as `unix:///var/run/docker.sock`; null for an engine without a server. */
  readonly endpoint: string | null;
  readonly endpointSource: string | null;
  readonly location: string;
  readonly rootless: boolean;
  readonly usernsRemap: boolean;
  readonly selinux: boolean;
}

export const engineFacts = (engine: Engine): EngineFacts => ({
  name: engine.name,
  clientVersion: engine.clientVersion,
  serverVersion: engine.serverVersion,
  apiVersion: engine.apiVersion,
  platform: `${engine.platform.os}/${engine.platform.architecture}`,
  endpoint: engine.endpoint === undefined ? null : formatEndpoint(engine.endpoint),
  endpointSource: engine.endpointSource ?? null,
  location: engine.location,
  rootless: engine.rootless,
  usernsRemap: engine.usernsRemap,
  selinux: engine.selinux,
});
