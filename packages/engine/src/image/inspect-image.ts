import { ANSWER_DEADLINE, type AnswerOptions } from '../command/answer.ts';
import { capture, commandFailed } from '../command/capture.ts';
import type { CaptureResult } from '../command/command.ts';
import type { Engine, Platform } from '../engine.ts';
import { isObject, parseObjects, textOf, textRecordOf, textsOf } from '../command/json.ts';
import { traitsOf } from '../differences/traits-of.ts';

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
 * Whether the engine says that it holds no such image. The exit status is that of any failure, a server that is gone included: only
 * the engine's own words tell, and whatever else it says is a failure.
 */
const isAbsence = (engine: Engine, { exitCode, stdout, stderr }: CaptureResult): boolean => {
  const { missingImage } = traitsOf(engine);
  // nerdctl logs its failures and ends with status 0 all the same.
  if (missingImage === 'nothing' && exitCode === 0) return stdout.trim() === '' && stderr.trim() === '';
  const words = missingImage === 'nothing' ? 'no such image' : missingImage;
  return exitCode !== 0 && new RegExp(words, 'i').test(stderr);
};

/**
 * An image that the engine holds, or undefined when it holds none of that reference. Never pulls.
 * @throws EngineError ENGINE_COMMAND_FAILED for every other failure, as well as {@link capture}'s errors
 */
export const inspectImage = async (
  engine: Engine,
  reference: string,
  { timeoutMs = ANSWER_DEADLINE }: AnswerOptions = {},
): Promise<ImageInfo | undefined> => {
  const args = ['image', 'inspect', reference];
  const answer = await capture(engine, args, { timeoutMs });
  if (answer.exitCode !== 0 || answer.stdout.trim() === '') {
    if (isAbsence(engine, answer)) return undefined;
    throw commandFailed(args, answer);
  }
  const [image] = parseObjects('image inspect', answer.stdout);
  if (image === undefined) return undefined;
  const config = isObject(image['Config']) ? image['Config'] : {};
  return {
    // podman leaves the algorithm out.
    id: textOf(image['Id']).replace(/^(?=[0-9a-f]{64}$)/, 'sha256:'),
    references: textsOf(image['RepoTags']),
    platform: { os: textOf(image['Os']), architecture: textOf(image['Architecture']) },
    labels: textRecordOf(config['Labels']),
    environment: textsOf(config['Env']),
    entrypoint: textsOf(config['Entrypoint']),
    sizeBytes: typeof image['Size'] === 'number' ? image['Size'] : 0,
    createdAt: textOf(image['Created']),
  };
};
