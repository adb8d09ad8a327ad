import type { CaptureResult } from '../command/command.ts';

/** A port on the host that somebody else holds. */
export interface PortConflict {
  /** Undefined when the engine does not name it. */
  readonly hostPort: number | undefined;
}

/** A complaint of the engine's command itself; what the program inside wrote has no such beginning. */
const ENGINE_LINE = /^(?:docker: |Error: |Error response from daemon: |.*level=fatal |FATA\[\d+\] )/;

/**
 * - docker, another container: `Bind for 127.0.0.1:1455 failed: port is already allocated`
 * - docker, a process: `listen tcp4 127.0.0.1:1455: bind: address already in use`; from 28 on `failed to bind host port … 127.0.0.1:1455/tcp`
 * - Docker Desktop: `Ports are not available: exposing port TCP 127.0.0.1:1455`
 * - podman: `cannot listen on the TCP port: listen tcp4 127.0.0.1:1455: bind: address already in use`
 * - rootless podman: `rootlessport listen tcp 127.0.0.1:1455: bind: address already in use`
 */
const CONFLICT = /port is already allocated|address already in use|ports are not available/i;

const PORT = /(?:bind for|listen (?:tcp|udp)[46]?|host port(?: for)?|exposing port (?:tcp|udp)) \S*?:(\d{1,5})(?=[\s:/]|$)/i;

/** Tells from the failure of a run that a published port was taken; undefined for every other outcome. Pure. */
export const portConflict = ({ exitCode, stderr }: Pick<CaptureResult, 'exitCode' | 'stderr'>): PortConflict | undefined => {
  if (exitCode === 0) return undefined;
  const line = stderr.split('\n').find((text) => ENGINE_LINE.test(text) && CONFLICT.test(text));
  if (line === undefined) return undefined;
  const port = PORT.exec(line)?.[1];
  return { hostPort: port === undefined ? undefined : Number(port) };
};
