import { BlockList, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { capture, type Engine } from '@doompi-sandbox/engine';
import { LaunchError } from '../error.ts';

/** Name of the network of a container that names none (docker and nerdctl). */
const DEFAULT_NETWORK = 'bridge';

/** One line for each address range, its gateway last where the engine names one; then the interface of this host. */
const FORMAT = '{{range .IPAM.Config}}{{.Subnet}} {{.Gateway}}\n{{end}}{{index .Options "com.docker.network.bridge.name"}}';

/** The IPv4 addresses of this host's interfaces, by interface. */
export type HostAddresses = Readonly<Record<string, readonly string[]>>;

const hostAddresses = (): HostAddresses =>
  Object.fromEntries(
    Object.entries(networkInterfaces()).map(([name, addresses = []]) => [
      name,
      addresses.filter(({ family }) => family === 'IPv4').map(({ address }) => address),
    ]),
  );

const isWithin = (address: string, subnet: string): boolean => {
  const [network = '', prefix = ''] = subnet.split('/');
  if (!isIPv4(network) || !/^\d{1,2}$/.test(prefix) || Number(prefix) > 32) return false;
  const range = new BlockList();
  range.addSubnet(network, Number(prefix), 'ipv4');
  return range.check(address, 'ipv4');
};

/**
 * The gateway in an engine's answer; where it names none, the address that the network's interface has here. A docker server names none for
 * its default network until it was started a second time.
 */
export const gatewayOf = (answer: string, addresses: HostAddresses): string | undefined => {
  const lines = answer.trim().split('\n');
  const named = lines.flatMap((line) => line.split(/\s+/)).find((word) => isIPv4(word));
  if (named !== undefined) return named;
  const subnets = lines.flatMap((line) => line.split(/\s+/)).filter((word) => word.includes('/'));
  const own = addresses[lines.at(-1)?.trim() ?? ''] ?? [];
  return own.find((address) => subnets.some((subnet) => isWithin(address, subnet)));
};

/**
 * Address of this host in the network that containers get by default.
 * @throws LaunchError LAUNCH_TRANSPORT_UNSUPPORTED when the engine has no such network or address.
 */
export const gatewayAddress = async (engine: Engine): Promise<string> => {
  const answer = await capture(engine, ['network', 'inspect', DEFAULT_NETWORK, '--format', FORMAT], { timeoutMs: 5000 });
  const address = answer.exitCode === 0 ? gatewayOf(answer.stdout, hostAddresses()) : undefined;
  if (address !== undefined) return address;
  throw new LaunchError(
    'LAUNCH_TRANSPORT_UNSUPPORTED',
    `${engine.name} has no network ${DEFAULT_NETWORK} with a gateway, through which the session would reach this launcher by tcp; use --transport tunnel`,
    { transport: 'tcp', engine: engine.name },
  );
};
