import { isIPv4 } from 'node:net';
import { capture, type Engine } from '@doompi-sandbox/engine';
import { LaunchError } from '../error.ts';

/** Name of the network of a container that names none (docker and nerdctl). */
const DEFAULT_NETWORK = 'bridge';

/** One line for each address range, its gateway last where the engine names one. */
const FORMAT = '{{range .IPAM.Config}}{{.Subnet}} {{.Gateway}}\n{{end}}';

const words = (line: string): string[] => line.trim().split(/\s+/);

/** First address of an IPv4 range: what docker gives to its bridge when nobody chose one. */
const firstAddress = (subnet: string): string | undefined => {
  const network = subnet.split('/')[0] ?? '';
  if (!isIPv4(network)) return undefined;
  const [a, b, c, d = '0'] = network.split('.');
  return [a, b, c, Number(d) + 1].join('.');
};

/**
 * The gateway in an engine's answer. A docker server names none for its default network until it was started a second time; then it is the
 * first address, and listening there shows whether it is this host's.
 */
export const gatewayOf = (answer: string): string | undefined => {
  const ranges = answer.trim().split('\n').map(words);
  const named = ranges.map((range) => range[1] ?? '').find((word) => isIPv4(word));
  return named ?? ranges.map(([subnet = '']) => firstAddress(subnet)).find((address) => address !== undefined);
};

/**
 * Address of this host in the network that containers get by default.
 * @throws LaunchError LAUNCH_TRANSPORT_UNSUPPORTED when the engine has no such network or address.
 */
export const gatewayAddress = async (engine: Engine): Promise<string> => {
  const answer = await capture(engine, ['network', 'inspect', DEFAULT_NETWORK, '--format', FORMAT], { timeoutMs: 5000 });
  const address = answer.exitCode === 0 ? gatewayOf(answer.stdout) : undefined;
  if (address !== undefined) return address;
  throw new LaunchError(
    'LAUNCH_TRANSPORT_UNSUPPORTED',
    `${engine.name} has no network ${DEFAULT_NETWORK} with a gateway, through which the session would reach this launcher by tcp; use --transport tunnel`,
    { transport: 'tcp', engine: engine.name },
  );
};
