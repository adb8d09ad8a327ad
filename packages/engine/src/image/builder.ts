import type { AnswerOptions } from '../command/answer.ts';
import { capture } from '../command/capture.ts';
import type { Engine } from '../engine.ts';

/**
 * What executes a build: `legacy` is docker's first builder, `buildkit` BuildKit inside docker (driven by a command older than 23),
 * `buildx` BuildKit through docker's buildx plug-in, whose builder may live outside the engine, `buildah` podman's, and `buildctl`
 * BuildKit as nerdctl and finch use it.
 */
export type Builder = 'legacy' | 'buildkit' | 'buildx' | 'buildah' | 'buildctl';

/** The spellings of false that docker's command takes for DOCKER_BUILDKIT (Go's strconv.ParseBool). */
const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);
const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

export interface BuilderFacts {
  readonly clientVersion: string;
  /** The person's DOCKER_BUILDKIT. */
  readonly wish: string | undefined;
  /** The buildx plug-in answers. */
  readonly buildx: boolean;
}

/** The builder that this docker client has and the person did not switch off. */
export const chooseBuilder = ({ clientVersion, wish, buildx }: BuilderFacts): Builder => {
  if (wish !== undefined && FALSE.has(wish)) return 'legacy';
  // From 23 on the command has no BuildKit client of its own: without the plug-in only the legacy builder is left.
  if (!(Number.parseInt(clientVersion, 10) < 23)) return buildx ? 'buildx' : 'legacy';
  if (wish === undefined || !TRUE.has(wish)) return 'legacy';
  return 'buildkit';
};

/** The builder of an engine; for docker its client is asked for what {@link chooseBuilder} needs. */
export const detectBuilder = async (engine: Engine, { timeoutMs = 10_000 }: AnswerOptions = {}): Promise<Builder> => {
  if (engine.name === 'podman') return 'buildah';
  if (engine.name !== 'docker') return 'buildctl';
  const { exitCode } = await capture(engine, ['buildx', 'version'], { timeoutMs });
  const { clientVersion } = engine;
  return chooseBuilder({ clientVersion, wish: engine.environment['DOCKER_BUILDKIT'], buildx: exitCode === 0 });
};
