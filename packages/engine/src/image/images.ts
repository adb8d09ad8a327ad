import { capture, captureOutput } from '../command/capture.ts';
import type { Engine } from '../engine.ts';
import { inspectImage } from './inspect-image.ts';

const assertReference = (reference: string): void => {
  if (!/^[a-zA-Z0-9]/.test(reference))
    throw new TypeError(`reference: expected an image reference or id, got ${JSON.stringify(reference)}`);
};

export interface PullImageOptions {
  /** Ends the pull; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the registry for the newest image of a reference, also when the engine has one.
 * @throws EngineError ENGINE_COMMAND_FAILED when it cannot be had; the engine then keeps what it has
 */
export const pullImage = async (engine: Engine, reference: string, { signal }: PullImageOptions = {}): Promise<void> => {
  assertReference(reference);
  await captureOutput(engine, ['pull', reference], signal === undefined ? {} : { signal });
};

/**
 * Removes an image, unless a container, a tag or another image needs it: true when it is gone, false when the engine keeps it.
 * @param image - id or reference
 * @throws EngineError when the engine cannot be asked
 */
export const removeImage = async (engine: Engine, image: string): Promise<boolean> => {
  assertReference(image);
  // Without --force the engine refuses what is in use, by a stopped container too.
  const { exitCode } = await capture(engine, ['image', 'rm', image], { timeoutMs: 120_000 });
  return exitCode === 0 || (await inspectImage(engine, image)) === undefined;
};
