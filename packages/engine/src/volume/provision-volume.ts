import { captureOutput } from '../command/capture.ts';
import { removeContainer } from '../container/containers.ts';
import type { Engine } from '../engine.ts';
import { mountArgument } from '../container/mount.ts';
import { traitsOf } from '../differences/traits-of.ts';
import { createVolume } from './volumes.ts';

export interface ProvisionVolumeOptions {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Image that the engine holds, and an absolute path of a directory in it: a new volume takes over its content, owner and mode. */
  readonly seed: { readonly image: string; readonly directory: string };
  /** Labels of the container that is created for the engine to fill the volume; it never runs and is removed at once. */
  readonly containerLabels: Readonly<Record<string, string>>;
  /** Ends the wait for the engine; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Longest wait, in milliseconds, for the engine to fill a volume from the image. */
const FILL_DEADLINE = 120_000;

const labelled = (option: string, labels: Readonly<Record<string, string>>): string[] =>
  Object.entries(labels).flatMap(([name, value]) => [option, `${name}=${value}`]);

/**
 * Makes a named volume that the users of an image's directory can write. Docker gives a volume that is mounted where the image has no
 * directory to root; mounted on one, it takes the directory's mode over when the container is created. Podman gives a new volume to the
 * first container's user, whoever that is.
 * @throws EngineError; the signal's reason when aborted
 */
export const provisionVolume = async (engine: Engine, options: ProvisionVolumeOptions): Promise<void> => {
  const { name, labels, seed, containerLabels, signal } = options;
  signal?.throwIfAborted();
  const { volumeLabels, newVolumeOwner } = traitsOf(engine);
  // In one step with the content where that can be, so that nothing that ends us in between leaves a volume of root's.
  if (volumeLabels === 'create') await createVolume(engine, { name, labels });
  if (newVolumeOwner === 'first-user') return;
  const mount = mountArgument({
    type: 'volume',
    source: name,
    target: seed.directory,
    ...(volumeLabels === 'mount' ? { labels } : {}),
  });
  const args = [
    'create',
    '--pull',
    'never',
    '--network',
    'none',
    ...labelled('--label', containerLabels),
    '--mount',
    mount,
    seed.image,
    'true',
  ];
  const id = await captureOutput(engine, args, { timeoutMs: FILL_DEADLINE, ...(signal === undefined ? {} : { signal }) });
  await removeContainer(engine, id.trim());
};
