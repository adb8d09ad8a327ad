import { lookUpImage } from '@doompi-sandbox/image';
import { chooseStorage } from '../storage/choose-storage.ts';
import { modulesOf } from '../storage/volumes.ts';
import { previewSessionMount } from '../sessions/directory.ts';
import { HARNESS_VERSION } from '../version.ts';
import { gatherFacts } from './facts/facts.ts';
import { currentHost } from './facts/host.ts';
import { refuseNesting } from './nesting.ts';
import { planLaunch } from './plan/plan.ts';
import { previewOf, type LaunchPreview } from './plan/preview.ts';
import { defineSessionImage } from './image/session-image.ts';
import { storageRequest } from './storage-request.ts';
import { parseSettings, type Environment, type LauncherOptions } from './settings/settings.ts';

/** A launch to look at instead of running it. The fields are those of a launch. */
export interface PreviewRequest {
  readonly repoRoot: string;
  readonly cwd: string;
  readonly forwardArgs: readonly string[];
  readonly environment: Environment;
}

/** Stands for the id that each session gets. */
const NO_SESSION = 'SESSION';

/** Stands for the Node release line of an image that is not there, in names of volumes. */
const NO_IMAGE = 'IMAGE';

/**
 * What a launch with these options would do. Asks the engine and reads files; makes no image, directory, volume or container.
 * @throws what `launchSandbox` throws before it starts anything: LaunchError, EngineError, ImageError or BrokerError
 */
export const previewLaunch = async (request: PreviewRequest, options: LauncherOptions = {}): Promise<LaunchPreview> => {
  const { environment, repoRoot, cwd, forwardArgs } = request;
  refuseNesting(environment);
  const settings = parseSettings(options, environment);
  const host = currentHost();
  const [facts, definition] = await Promise.all([
    gatherFacts({ settings, environment, repoRoot, cwd, host }),
    // A wrong engine is told before a wrong package, as a launch does.
    defineSessionImage({ settings, environment, workingDirectory: cwd }).catch((failure: unknown) => ({ failure })),
  ]);
  if ('failure' in definition) throw definition.failure;
  const [image, sessionMount] = await Promise.all([
    lookUpImage(facts.engine, definition.reference),
    previewSessionMount({
      runtimeDirectory: environment['XDG_RUNTIME_DIR'],
      temporaryDirectory: host.temporaryDirectory,
      uid: host.uid,
      repository: facts.repository.root,
    }),
  ]);
  // An image that is still to be built has the Node of its base.
  const known = image ?? (await lookUpImage(facts.engine, definition.baseImage));
  const modules = known === undefined ? NO_IMAGE : modulesOf(known);
  const storage = await chooseStorage(facts.engine, storageRequest(facts, definition.agent, modules, environment));
  const plan = planLaunch({
    settings,
    facts,
    environment,
    sessionId: NO_SESSION,
    imageReference: definition.reference,
    command: [definition.agent.command, ...forwardArgs],
    volumes: storage.volumes,
    version: HARNESS_VERSION,
    sessionMount,
  });
  const secrets = [...facts.credentialVariables, ...settings.passVariables].flatMap((name) => environment[name]?.trim() ?? []);
  return previewOf({ settings, facts, plan, definition, image, secrets, now: Date.now() });
};
