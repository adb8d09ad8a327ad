import type { TransportName } from '@doompi-sandbox/contract';
import { LaunchError } from '../error.ts';
import type { TransportPlan } from './candidates.ts';

const ADVICE: Readonly<Record<TransportName, string>> = {
  socket:
    'the mounted sockets do not open where the container has a kernel or users of its own; leave the transport to auto, or use --transport tunnel',
  tcp: 'a firewall on this host may keep containers away from it; leave the transport to auto, or use --transport tunnel',
  tunnel: 'the engine must be able to run a program in the container (exec)',
};

/** What to say when a container found no way to the launcher; its own message came before. `problem` is what the engine said to a dial. */
export const transportFailure = ({ candidates }: TransportPlan, problem: string | undefined): LaunchError => {
  const advice = ADVICE[candidates.at(-1) ?? 'tunnel'];
  const said = problem === undefined ? '' : ` (the engine said: ${problem})`;
  const message = `the session could not reach this launcher by ${candidates.join(' or ')}; no agent was started${said}; ${advice}`;
  return new LaunchError('LAUNCH_TRANSPORT_FAILED', message, { transports: candidates });
};
