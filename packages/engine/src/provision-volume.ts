import { captureOutput } from './capture.ts';
import { removeContainer } from './containers.ts';
import type { Engine } from './engine.ts';
import { mountArgument } from './mount.ts';
import { createVolume } from './volumes.ts';

export interface ProvisionVolumeOptions {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Image that the engine holds, and an absolute path of a directory in it: a new volume takes over its content, owner and mode. */
  readonly seed: { readonly image: string; readonly directory: string };
  /** Labels of the container that is created for the engine to fill the volume; it never runs and is removed at once. */
  readonly containerLabels: Readonly<Record<string, string>>;
}

const labelled = (option: string, labels: Readonly<Record<string, string>>): string[] =>
  Object.entries(labels).flatMap(([name, value]) => [option, `${name}=${value}`]);

/**
 * Makes a named volume that the users of an image's directory can write. Docker gives a volume that is mounted where the image has no
 * directory to root; mounted on one, it takes the directory's mode over when the container is created. Podman gives a new volume to the
 * first container's user, whoever that is.
 * @throws EngineError
 */
export const provisionVolume = async (engine: Engine, options: ProvisionVolumeOptions): Promise<void> => {
  const { name, labels, seed, containerLabels } = options;
  // Docker makes volume, labels and content in one step, so that nothing that ends us in between leaves a volume of root's.
  if (engine.name !== 'docker') await createVolume(engine, { name, labels });
  if (engine.name === 'podman') return;
  const mount = mountArgument({
    type: 'volume',
    source: name,
    target: seed.directory,
    ...(engine.name === 'docker' ? { labels } : {}),
  });
  const id = await captureOutput(engine, [
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
  ]);
  await removeContainer(engine, id.trim());
};
