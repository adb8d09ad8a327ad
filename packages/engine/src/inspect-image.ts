import { ANSWER_DEADLINE } from './answer.ts';
import { capture, commandFailed } from './capture.ts';
import type { Engine, Platform } from './engine.ts';
import { isObject, parseObjects, textOf, textRecordOf, textsOf } from './json.ts';

export interface ImageInfo {
  /** Such as `sha256:…`. */
  readonly id: string;
  /** References that name it on this engine. */
  readonly references: readonly string[];
  readonly platform: Platform;
  readonly labels: Readonly<Record<string, string>>;
  /** Entries `NAME=value`. */
  readonly environment: readonly string[];
  readonly entrypoint: readonly string[];
  readonly sizeBytes: number;
  /** Time of its build, ISO 8601; empty when the engine does not tell. */
  readonly createdAt: string;
}

/**
 * An image that the engine holds, or undefined when it holds none of that reference. Never pulls.
 * @throws EngineError ENGINE_COMMAND_FAILED for every other failure, as well as {@link capture}'s errors
 */
export const inspectImage = async (engine: Engine, reference: string): Promise<ImageInfo | undefined> => {
  const args = ['image', 'inspect', reference];
  const answer = await capture(engine, args, { timeoutMs: ANSWER_DEADLINE });
  if (answer.exitCode !== 0) {
    // The exit status is the same when the server is gone. Only its own words tell absence; whatever else it says is a failure.
    if (/no such image/i.test(answer.stderr)) return undefined;
    throw commandFailed(args, answer);
  }
  const [image] = parseObjects('image inspect', answer.stdout);
  if (image === undefined) return undefined;
  const config = isObject(image['Config']) ? image['Config'] : {};
  return {
    id: textOf(image['Id']),
    references: textsOf(image['RepoTags']),
    platform: { os: textOf(image['Os']), architecture: textOf(image['Architecture']) },
    labels: textRecordOf(config['Labels']),
    environment: textsOf(config['Env']),
    entrypoint: textsOf(config['Entrypoint']),
    sizeBytes: typeof image['Size'] === 'number' ? image['Size'] : 0,
    createdAt: textOf(image['Created']),
  };
};
