import { capture, type AttachedProcess, type Engine } from '@doompi-sandbox/engine';
import type { ForwardedSignal } from './signals.ts';

/** Docker's client gives up at the third TERM or INT, whatever the agent makes of them (docker/cli, `forceExitAfter3TerminationSignals`). */
const CLIENT_BEARS = 2;

const counted = (signal: ForwardedSignal): boolean => signal === 'SIGTERM' || signal === 'SIGINT';

export interface DeliveryTarget {
  readonly engine: Engine;
  readonly client: Pick<AttachedProcess, 'kill'>;
  /** Name of the container. */
  readonly container: string | undefined;
  /** Whether the agent runs, or is about to. */
  readonly running: () => boolean;
}

/** Sends signals on to the agent: by the engine's client, as far as that lives through them, and then by the engine itself. */
export const signalDelivery = ({ engine, client, container, running }: DeliveryTarget): ((signal: ForwardedSignal) => void) => {
  let sent = 0;
  return (signal) => {
    if (counted(signal) && running() && sent >= CLIENT_BEARS && container !== undefined) {
      // It fails when the container has just ended: then there is nobody left to tell.
      capture(engine, ['container', 'kill', '--signal', signal, container], { timeoutMs: 5000 }).catch(() => {});
      return;
    }
    if (counted(signal)) sent += 1;
    client.kill(signal);
  };
};
