import { type Engine, inspectImage, isEngineError, pullImage, removeImage } from '@doompi-sandbox/engine';
import { withFileLock } from './file-lock.ts';
import type { ImageDefinition } from './define-image.ts';
import { buildAndLookUp, type EnsureImageOptions } from './ensure-image.ts';
import { imageError } from './error.ts';

export interface RefreshImageOptions extends EnsureImageOptions {
  /** Ask the registry for the newest base image; default true. Without it the engine's own copy is the base. */
  readonly pull?: boolean | undefined;
}

export interface RefreshedImage {
  readonly reference: string;
  /** The engine's id of the new image. */
  readonly id: string;
  /** The image that had the reference before, and whether it is gone: one that something uses stays, without a name. */
  readonly replaced: { readonly id: string; readonly removed: boolean } | undefined;
}

/** A pull of its own, before the build: only so is it certain that a failure is the registry's. */
const pullBase = async (
  engine: Engine,
  { reference, baseImage }: ImageDefinition,
  { onProgress, signal }: RefreshImageOptions,
): Promise<void> => {
  onProgress?.({ step: 'pulling', reference, baseImage });
  await pullImage(engine, baseImage, { signal }).catch(async (cause: unknown) => {
    if (!isEngineError(cause, 'ENGINE_COMMAND_FAILED')) throw cause;
    const basePresent = (await inspectImage(engine, baseImage)) !== undefined;
    const { stderr } = cause.details;
    const advice = basePresent
      ? ' The engine has a copy of the base image: to rebuild on that, leave the pull out (--no-pull).'
      : '';
    const message = `The base image ${baseImage} could not be pulled, so ${reference} is as it was.${advice}`;
    throw imageError('IMAGE_PULL_FAILED', message, { reference, baseImage, basePresent, stderr }, { cause });
  });
};

/** Whether an image that lost its tag is gone. One with another name is somebody's. */
const removeReplaced = async (engine: Engine, id: string): Promise<boolean> => {
  const image = await inspectImage(engine, id);
  if (image === undefined) return true;
  return image.references.length === 0 && removeImage(engine, id);
};

/**
 * Builds the image anew, with the newest base image and without cache, whether or not it is there. The new image takes the reference
 * when it is complete: until then, and after a failure, the reference names the old one.
 * @throws ImageError IMAGE_PULL_FAILED, IMAGE_BUILD_FAILED, IMAGE_NOT_LOADED, IMAGE_WRONG_PLATFORM; EngineError; the signal's reason when aborted
 */
export const refreshImage = async (
  engine: Engine,
  definition: ImageDefinition,
  options: RefreshImageOptions,
): Promise<RefreshedImage> => {
  const { reference } = definition;
  const { lockDirectory, pull = true, onProgress, signal } = options;
  const lock = { directory: lockDirectory, signal, onWait: (): void => onProgress?.({ step: 'waiting', reference }) };
  return withFileLock(reference, lock, async () => {
    if (pull) await pullBase(engine, definition, options);
    const before = await inspectImage(engine, reference);
    // A builder outside the engine has a copy of the base image of its own.
    const { id } = await buildAndLookUp(engine, definition, { ...options, pull, noCache: true });
    const replaced = before === undefined || before.id === id ? undefined : before.id;
    if (replaced === undefined) return { reference, id, replaced };
    return { reference, id, replaced: { id: replaced, removed: await removeReplaced(engine, replaced) } };
  });
};
