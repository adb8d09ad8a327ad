import type { SessionFile } from '@doompi-sandbox/contract';
import { holdLifeline, type Lifeline, type LifelineTiming } from './lifeline.ts';
import { startListener, type Listener } from './listen.ts';
import { awaitBroker } from './ready.ts';
import { reachLauncher } from './uplink/reach.ts';

export interface LinkOptions {
  readonly lifelineTiming: LifelineTiming;
  /** Milliseconds until the launcher, and then the broker, count as unreachable. */
  readonly timeoutMs: number;
  /** Ends what is still being opened; the promise then rejects with its reason. */
  readonly signal: AbortSignal;
}

/** What holds a session to its launcher. Disposing ends it. */
export interface Link extends AsyncDisposable {
  /** Resolves when the launcher is gone for good; never after disposal. */
  readonly lost: Promise<undefined>;
}

/**
 * Reaches the launcher, holds the lifeline and carries calls to the broker; all of it was seen to work when this resolves.
 * @throws BridgeError BRIDGE_LIFELINE_UNREACHABLE, BRIDGE_LISTEN_FAILED, BRIDGE_BROKER_UNREACHABLE
 */
export const openLink = async (session: SessionFile, options: LinkOptions): Promise<Link> => {
  const { lifelineTiming, timeoutMs, signal } = options;
  const { uplink, lifeline: first } = await reachLauncher(session.transports, { timeoutMs, signal });
  const lifeline: Lifeline = holdLifeline(uplink, first, lifelineTiming);
  let listener: Listener | undefined;
  const dispose = async (): Promise<void> => {
    lifeline[Symbol.dispose]();
    await listener?.[Symbol.asyncDispose]();
    await uplink[Symbol.asyncDispose]();
  };
  try {
    if (session.broker !== undefined) {
      listener = await startListener({ port: session.broker.bridgePort, uplink });
      await awaitBroker({ port: listener.port, place: uplink.place('broker'), timeoutMs, signal });
    }
    return { lost: lifeline.lost, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
};
