import { channel } from 'node:diagnostics_channel';
import { join } from 'node:path';
import {
  type AnswerOptions,
  buildImage,
  type Builder,
  detectBuilder,
  type Engine,
  type ImageInfo,
  inspectImage,
  isEngineError,
  type Platform,
} from '@doompi-sandbox/engine';
import { CONTAINERFILE, withBuildContext } from './build-context.ts';
import { withFileLock } from './file-lock.ts';
import { textFile } from './context-file.ts';
import type { ImageDefinition } from './define-image.ts';
import { imageError } from './error.ts';
import { proxyArguments } from './proxy-arguments.ts';

/** What happens while an image is made. Nothing is told when it is there already. */
export type ImageProgress =
  | { readonly step: 'waiting'; readonly reference: string }
  | { readonly step: 'pulling'; readonly reference: string; readonly baseImage: string }
  | {
      readonly step: 'building';
      readonly reference: string;
      readonly baseImage: string;
      readonly builder: Builder;
      /** Every step is executed anew. */
      readonly fresh: boolean;
    }
  | { readonly step: 'built'; readonly reference: string; readonly durationMs: number };

/** Message on the diagnostics channel `doompi-sandbox:image:build`, after each build. */
export interface ImageBuildEvent {
  readonly reference: string;
  readonly builder: Builder;
  readonly durationMs: number;
  readonly outcome: 'built' | 'failed';
}

const builds = channel('doompi-sandbox:image:build');

export interface EnsureImageOptions {
  /** Private directory where builders lock each other out; created when it is not there. Undefined: they do not. */
  readonly lockDirectory: string | undefined;
  readonly onProgress?: ((progress: ImageProgress) => void) | undefined;
  /** Called for each line that the builder prints. */
  readonly onOutput?: ((line: string, stream: 'stdout' | 'stderr') => void) | undefined;
  /** Ends waiting and building; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface EnsuredImage {
  readonly reference: string;
  /** Whether this call built it. */
  readonly built: boolean;
  /** The engine's id of the image. */
  readonly id: string;
  /** Its variables, entries `NAME=value`. */
  readonly environment: readonly string[];
}

/** Spellings of processors that docker takes for its own. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: 'amd64', 'x86-64': 'amd64', aarch64: 'arm64' };

/** Platform of the containers that this engine's client makes: what the person chose, which only docker's reads, else the server's own. */
const expectedPlatform = ({ name, environment, platform }: Engine): Platform => {
  if (name !== 'docker') return platform;
  const [os = '', architecture] = (environment['DOCKER_DEFAULT_PLATFORM'] ?? '').toLowerCase().split('/');
  if (os === '' || architecture === undefined) return platform;
  return { os, architecture: ARCHITECTURES[architecture] ?? architecture };
};

/**
 * The image that the engine holds under this reference, if any. Never builds, never pulls.
 * @throws ImageError IMAGE_WRONG_PLATFORM when the engine cannot run it; EngineError
 */
export const lookUpImage = async (
  engine: Engine,
  reference: string,
  options: AnswerOptions = {},
): Promise<ImageInfo | undefined> => {
  const image = await inspectImage(engine, reference, options);
  if (image === undefined) return undefined;
  const expected = expectedPlatform(engine);
  const actual = image.platform;
  if (actual.os === expected.os && actual.architecture === expected.architecture) return image;
  const message = `The image ${reference} is for ${actual.os}/${actual.architecture}, and the engine needs ${expected.os}/${expected.architecture}. Remove it (${engine.name} image rm ${reference}) and check the platform of the base image and of the builder.`;
  throw imageError('IMAGE_WRONG_PLATFORM', message, { reference, expected, actual });
};

/** How much of a build may come from before. */
export interface Freshness {
  /** Pull the base image even when the engine has it. */
  readonly pull: boolean;
  readonly noCache: boolean;
}

const build = async (
  engine: Engine,
  definition: ImageDefinition,
  builder: Builder,
  options: EnsureImageOptions & Freshness,
): Promise<void> => {
  const { reference, baseImage } = definition;
  const basePresent = (await inspectImage(engine, baseImage)) !== undefined;
  const files = [...definition.files, textFile(CONTAINERFILE, definition.containerfile)];
  await withBuildContext(files, (context) =>
    buildImage(engine, {
      context,
      containerfile: join(context, CONTAINERFILE),
      tag: reference,
      labels: definition.labels,
      buildArguments: proxyArguments(engine.environment),
      builder,
      pull: options.pull,
      noCache: options.noCache,
      ...(options.onOutput === undefined ? {} : { onOutput: options.onOutput }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    }),
  ).catch((cause: unknown) => {
    if (!isEngineError(cause, 'ENGINE_BUILD_FAILED')) throw cause;
    const { exitCode, lastLines } = cause.details;
    const hint = basePresent ? '' : ` The engine did not hold the base image ${baseImage} and had to pull it.`;
    const message = `Building the image ${reference} failed with exit status ${exitCode}.${hint}`;
    throw imageError('IMAGE_BUILD_FAILED', message, { reference, baseImage, basePresent, exitCode, lastLines }, { cause });
  });
};

/** What to do about a builder that keeps its result to itself. */
const keptAdvice = (builder: Builder): string => {
  switch (builder) {
    case 'legacy':
    case 'buildkit':
    case 'buildx':
      return 'The builder kept the result to itself: choose one that loads into the engine (docker buildx use default, and unset BUILDX_BUILDER), or set DOCKER_BUILDKIT=0.';
    case 'buildctl':
      return 'The builder kept the result to itself: let buildkitd use the containerd and the namespace that the engine uses, or unset BUILDKIT_HOST.';
    case 'buildah':
      return 'Builder and engine look at different stores: unset BUILDAH_FORMAT, STORAGE_DRIVER and CONTAINERS_STORAGE_CONF, or set them for both.';
  }
};

/** Builds under the tag and answers the image that has it then. A failure leaves the tag with what had it before. */
export const buildAndLookUp = async (
  engine: Engine,
  definition: ImageDefinition,
  options: EnsureImageOptions & Freshness,
): Promise<ImageInfo> => {
  const { reference, baseImage } = definition;
  const builder = await detectBuilder(engine);
  options.onProgress?.({ step: 'building', reference, baseImage, builder, fresh: options.noCache });
  const started = performance.now();
  let outcome: ImageBuildEvent['outcome'] = 'failed';
  try {
    await build(engine, definition, builder, options);
    const image = await lookUpImage(engine, reference);
    if (image === undefined) {
      const message = `The builder reported success, but the engine does not hold ${reference}. ${keptAdvice(builder)}`;
      throw imageError('IMAGE_NOT_LOADED', message, { reference, builder });
    }
    outcome = 'built';
    options.onProgress?.({ step: 'built', reference, durationMs: performance.now() - started });
    return image;
  } finally {
    if (builds.hasSubscribers)
      builds.publish({ reference, builder, durationMs: performance.now() - started, outcome } satisfies ImageBuildEvent);
  }
};

/**
 * Makes sure that the engine holds the image: looks for its reference, and builds it when it is not there. One process at a time
 * builds a reference; the others wait and use the result. The reference itself is never pulled.
 * @throws ImageError IMAGE_BUILD_FAILED, IMAGE_NOT_LOADED, IMAGE_WRONG_PLATFORM; EngineError; the signal's reason when aborted
 */
export const ensureImage = async (
  engine: Engine,
  definition: ImageDefinition,
  options: EnsureImageOptions,
): Promise<EnsuredImage> => {
  const { reference } = definition;
  const present = await lookUpImage(engine, reference);
  if (present !== undefined) return { reference, built: false, id: present.id, environment: present.environment };
  const lock = {
    directory: options.lockDirectory,
    signal: options.signal,
    onWait: (): void => options.onProgress?.({ step: 'waiting', reference }),
  };
  return withFileLock(reference, lock, async () => {
    const meanwhile = await lookUpImage(engine, reference);
    if (meanwhile !== undefined) return { reference, built: false, id: meanwhile.id, environment: meanwhile.environment };
    const { id, environment } = await buildAndLookUp(engine, definition, { ...options, pull: false, noCache: false });
    return { reference, built: true, id, environment };
  });
};
