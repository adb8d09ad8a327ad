import { isIP } from 'node:net';

/** An address that the engine itself resolves; refused where it does not know it. */
export const HOST_GATEWAY = 'host-gateway';

/** A line for a container's `/etc/hosts`. */
export interface HostEntry {
  readonly name: string;
  /** IPv4 or IPv6 address, or `host-gateway`. */
  readonly address: string;
}

/** @throws TypeError for a name or an address that the engine would read in another way */
export const assertHosts = (entries: readonly HostEntry[]): void => {
  for (const { name, address } of entries) {
    if (!/^[\w.-]+$/.test(name)) throw new TypeError(`addHosts: expected a host name, got ${JSON.stringify(name)}`);
    if (address !== HOST_GATEWAY && isIP(address) === 0)
      throw new TypeError(`addHosts: expected an IP address or ${HOST_GATEWAY} for ${name}, got ${JSON.stringify(address)}`);
  }
};
