import { isIPv4 } from 'node:net';
import { capture, type Engine } from '@doompi-sandbox/engine';
import { LaunchError } from '../error.ts';

/** Name of the network of a container that names none (docker and nerdctl). */
const DEFAULT_NETWORK = 'bridge';

/**
 * Address of this host in the network that containers get by default.
 * @throws LaunchError LAUNCH_TRANSPORT_UNSUPPORTED when the engine has no such network or address.
 */
export const gatewayAddress = async (engine: Engine): Promise<string> => {
  const format = '{{range .IPAM.Config}}{{.Gateway}} {{end}}';
  const answer = await capture(engine, ['network', 'inspect', DEFAULT_NETWORK, '--format', format], { timeoutMs: 5000 });
  const address = answer.exitCode === 0 ? answer.stdout.split(/\s+/).find((word) => isIPv4(word)) : undefined;
  if (address !== undefined) return address;
  throw new LaunchError(
    'LAUNCH_TRANSPORT_UNSUPPORTED',
    `${engine.name} has no network ${DEFAULT_NETWORK} with a gateway, through which the session would reach this launcher by tcp; use --transport tunnel`,
    { transport: 'tcp', engine: engine.name },
  );
};
