import { detectEngine } from '@doompi-sandbox/engine';
import { ensureImage, imageAgeDays, lookUpImage, refreshImage } from '@doompi-sandbox/image';
import { LaunchError } from '../../error.ts';
import type { Notice } from '../../notice.ts';
import { takeSignals, type Interruption } from '../apply/interruption.ts';
import { refuseNesting } from '../nesting.ts';
import { findRepositoryRoot } from '../facts/repository.ts';
import { defineSessionImage, lockDirectory, progressNotice } from './session-image.ts';
import { parseSettings, type Environment, type LauncherOptions } from '../settings/settings.ts';

export interface BuildRequest {
  /** Absolute path: a relative path of an agent package starts here, and no program of the repository around it is run. */
  readonly cwd: string;
  readonly environment: Environment;
  /** Build anew, with the newest base image and without cache, also when the image is there. Default false. */
  readonly refresh?: boolean;
  /** With `refresh`: ask the registry for the newest base image. Default true. */
  readonly pull?: boolean;
  readonly onNotice?: (notice: Notice) => void;
}

export interface BuildResult {
  readonly reference: string;
  /** The engine's id of the image. */
  readonly id: string;
  /** Whether this call built it. */
  readonly built: boolean;
}

const build = async (request: BuildRequest, options: LauncherOptions, { signal }: Interruption): Promise<BuildResult> => {
  const { cwd, environment, refresh = false, pull = true, onNotice = () => {} } = request;
  const settings = parseSettings(options, environment);
  const repoRoot = await findRepositoryRoot(cwd);
  const engine = await detectEngine({
    environment,
    repoRoot,
    override: settings.engine,
    endpoint: settings.endpoint,
    onSkipped: ({ candidate, error }) => onNotice({ code: 'engine-skipped', candidate, reason: error.message }),
  });
  onNotice({ code: 'engine', engine: engine.name, version: engine.serverVersion });
  const definition = await defineSessionImage({ settings, environment, workingDirectory: cwd });
  const { reference } = definition;
  signal.throwIfAborted();
  const ensuring = {
    lockDirectory: lockDirectory(environment),
    signal,
    onProgress: (progress: Parameters<typeof progressNotice>[0]) => onNotice(progressNotice(progress)),
    onOutput: (line: string) => onNotice({ code: 'image-build-output', line }),
  };
  if (!refresh) {
    const { id, built } = await ensureImage(engine, definition, ensuring);
    const createdAt = built ? undefined : (await lookUpImage(engine, reference))?.createdAt;
    if (createdAt !== undefined) onNotice({ code: 'image-present', reference, ageDays: imageAgeDays(createdAt, Date.now()) });
    return { reference, id, built };
  }
  const { id, replaced } = await refreshImage(engine, definition, { ...ensuring, pull });
  if (replaced?.removed === true) onNotice({ code: 'image-replaced', id: replaced.id });
  if (replaced?.removed === false)
    onNotice({ code: 'image-kept', id: replaced.id, command: `${engine.name} image rm ${replaced.id}` });
  return { reference, id, built: true };
};

/**
 * Makes sure that the image of a launch with these options is there, so that no session has to wait for it. While it works,
 * this process' termination signals end the build; what it had made is cleaned up.
 * @throws LaunchError (LAUNCH_INTERRUPTED by a signal), EngineError or ImageError; an image that was there is then unchanged
 */
export const buildSandboxImage = async (request: BuildRequest, options: LauncherOptions = {}): Promise<BuildResult> => {
  refuseNesting(request.environment);
  using interruption = takeSignals();
  try {
    return await build(request, options, interruption);
  } catch (failure) {
    const signal = interruption.abortedBy;
    if (signal === undefined) throw failure;
    throw new LaunchError('LAUNCH_INTERRUPTED', `the build was interrupted by ${signal}`, { signal }, { cause: failure });
  }
};
