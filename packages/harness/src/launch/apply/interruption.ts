import { forwardSignals, type ForwardedSignal } from './signals.ts';

/** What a signal to the launcher does: before the agent runs it ends the launch, afterwards it goes to the agent. */
export interface Interruption extends Disposable {
  /** Aborted by a signal that came before the agent ran. */
  readonly signal: AbortSignal;
  /** The first signal that came, at any time. */
  readonly first: ForwardedSignal | undefined;
  /** The signal that aborted the launch. */
  readonly abortedBy: ForwardedSignal | undefined;
  /** From now on signals go here. */
  deliverTo(deliver: (signal: ForwardedSignal) => void): void;
}

/** Takes over this process' termination signals until disposed. */
export const takeSignals = (): Interruption => {
  const controller = new AbortController();
  let deliver: ((signal: ForwardedSignal) => void) | undefined;
  let first: ForwardedSignal | undefined;
  let abortedBy: ForwardedSignal | undefined;
  const forwarding = forwardSignals((signal) => {
    first ??= signal;
    if (deliver !== undefined) deliver(signal);
    else {
      abortedBy ??= signal;
      controller.abort(new Error(`interrupted by ${signal}`));
    }
  });
  return {
    signal: controller.signal,
    get first() {
      return first;
    },
    get abortedBy() {
      return abortedBy;
    },
    deliverTo: (next) => {
      deliver = next;
    },
    [Symbol.dispose]: () => forwarding[Symbol.dispose](),
  };
};
