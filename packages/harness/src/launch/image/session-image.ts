import { join } from 'node:path';
import type { Engine } from '@doompi-sandbox/engine';
import { defineImage, ensureImage, type ImageDefinition, type ImageProgress } from '@doompi-sandbox/image';
import type { Notice } from '../../notice.ts';
import { modulesOf } from '../../storage/volumes.ts';
import type { Environment, Settings } from '../settings/settings.ts';
import { baseDirectory } from '../settings/xdg.ts';

export interface SessionImage {
  readonly reference: string;
  readonly definition: ImageDefinition;
  /** What its native modules are built for: see `modulesOf`. */
  readonly modules: string;
}

/**
 * Directory of the locks that let one process at a time build an image (`$XDG_CACHE_HOME`). Only a
 * build makes it: an image that is there needs no home directory that can be written. Undefined for a person without one.
 */
export const lockDirectory = (environment: Environment): string | undefined => {
  const directory = baseDirectory(environment, 'XDG_CACHE_HOME');
  return directory === undefined ? undefined : join(directory, 'doompi-sandbox', 'locks');
};

export const progressNotice = (progress: ImageProgress): Notice => {
  const { reference } = progress;
  switch (progress.step) {
    case 'waiting':
      return { code: 'image-waiting', reference };
    case 'pulling':
      return { code: 'image-pulling', reference: progress.baseImage };
    case 'building':
      return { code: progress.fresh ? 'image-refreshing' : 'image-building', reference };
    case 'built':
      return { code: 'image-built', reference, milliseconds: progress.durationMs };
  }
};

/** The definition of the image that these settings ask for. Reads files, asks no engine. */
export const defineSessionImage = async (options: {
  readonly settings: Settings;
  readonly environment: Environment;
  /** Directory that a relative path of an agent package starts from. */
  readonly workingDirectory: string;
}): Promise<ImageDefinition> => {
  const { settings, environment, workingDirectory } = options;
  const { agent, agentPackage, baseImage } = settings;
  return defineImage({ agent, agentPackage, baseImage, environment, workingDirectory });
};

/** The image that a session runs in: the one that is there, else built now. */
export const sessionImage = async (options: {
  readonly settings: Settings;
  readonly engine: Engine;
  readonly environment: Environment;
  /** Directory that a relative path of an agent package starts from. */
  readonly workingDirectory: string;
  readonly signal: AbortSignal;
  readonly onNotice: (notice: Notice) => void;
}): Promise<SessionImage> => {
  const { settings, engine, environment, workingDirectory, signal, onNotice } = options;
  const definition = await defineSessionImage({ settings, environment, workingDirectory });
  const image = await ensureImage(engine, definition, {
    lockDirectory: lockDirectory(environment),
    signal,
    onProgress: (progress) => onNotice(progressNotice(progress)),
    onOutput: (line) => onNotice({ code: 'image-build-output', line }),
  });
  return { reference: image.reference, definition, modules: modulesOf(image) };
};
