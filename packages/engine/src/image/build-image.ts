import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { once } from 'node:events';
import { attach } from '../command/attach.ts';
import { type Builder, detectBuilder } from './builder.ts';
import { isClientVariable } from '../command/client-variables.ts';
import type { Engine } from '../engine.ts';
import { engineError } from '../error.ts';

export interface BuildImageOptions {
  /** Directory of the build context. */
  readonly context: string;
  /** Path of the Containerfile; default `Dockerfile` in the context. */
  readonly containerfile?: string;
  /** Reference that names the result. */
  readonly tag: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Build arguments. Argv has their names; their values travel in the client's environment. */
  readonly buildArguments: Readonly<Record<string, string>>;
  /** Pull the base image even when the engine has it; default false. A failed pull fails the build. */
  readonly pull?: boolean;
  /** Execute every step anew; default false. */
  readonly noCache?: boolean;
  /** Called for each line of output as it comes. */
  readonly onOutput?: (line: string, stream: 'stdout' | 'stderr') => void;
  /** Ends the build; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** `default` is the best one that the client has. */
  readonly builder: Builder | 'default';
}

const LAST_LINES = 40;

/** A buildx builder outside the engine keeps its result to itself unless told to load it. */
const BUILDER_OPTIONS: Readonly<Record<Builder, readonly string[]>> = {
  legacy: ['--force-rm'],
  buildkit: ['--progress', 'plain'],
  buildx: ['--progress', 'plain', '--load'],
  buildah: [],
  buildctl: ['--progress', 'plain'],
};

/** Docker's own switch between its builders; the other engines have one builder. */
const builderVariable = (builder: Builder): Record<string, string> =>
  builder === 'buildah' || builder === 'buildctl' ? {} : { DOCKER_BUILDKIT: builder === 'legacy' ? '0' : '1' };

/** Arguments of the engine's command for a build. Pure. */
export const buildArguments = (
  options: Omit<BuildImageOptions, 'builder' | 'signal' | 'onOutput'>,
  builder: Builder,
): string[] => [
  'build',
  '--tag',
  options.tag,
  ...(options.containerfile === undefined ? [] : ['--file', options.containerfile]),
  ...Object.entries(options.labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]),
  ...Object.keys(options.buildArguments).flatMap((name) => ['--build-arg', name]),
  ...(options.pull === true ? ['--pull'] : []),
  ...(options.noCache === true ? ['--no-cache'] : []),
  // The first builder otherwise keeps the container of a step that failed; buildah removes it and prints plain lines anyway.
  ...BUILDER_OPTIONS[builder],
  options.context,
];

const readLines = async (stream: Readable, onLine: (line: string) => void): Promise<void> => {
  const lines = createInterface({ input: stream, crlfDelay: Infinity });
  lines.on('line', onLine);
  await once(lines, 'close');
};

/**
 * Builds an image from a context and streams the engine's output. An exit status of 0 does not prove that the engine now holds
 * the image: look it up.
 * @throws EngineError ENGINE_BUILD_FAILED, ENGINE_NOT_SPAWNED; the signal's reason when aborted; TypeError for a build argument that the client reads itself
 */
export const buildImage = async (engine: Engine, options: BuildImageOptions): Promise<void> => {
  const { signal, onOutput } = options;
  const reserved = Object.keys(options.buildArguments).find((name) => isClientVariable(name, engine.name));
  if (reserved !== undefined)
    throw new TypeError(`buildArguments: ${reserved} is read by the engine's own client and cannot be a build argument`);
  signal?.throwIfAborted();
  const builder = options.builder === 'default' ? await detectBuilder(engine) : options.builder;
  signal?.throwIfAborted();
  const child = attach(engine, buildArguments(options, builder), {
    environment: { ...options.buildArguments, ...builderVariable(builder) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const abort = (): void => void child.kill('SIGTERM');
  signal?.addEventListener('abort', abort, { once: true });
  const lastLines: string[] = [];
  const keep =
    (stream: 'stdout' | 'stderr') =>
    (line: string): void => {
      lastLines.push(line);
      if (lastLines.length > LAST_LINES) lastLines.shift();
      onOutput?.(line, stream);
    };
  try {
    const [status] = await Promise.all([
      child.exited,
      ...(child.stdout === null ? [] : [readLines(child.stdout, keep('stdout'))]),
      ...(child.stderr === null ? [] : [readLines(child.stderr, keep('stderr'))]),
    ]);
    signal?.throwIfAborted();
    const exitCode = 'exitCode' in status ? status.exitCode : 1;
    if (exitCode !== 0 || 'signal' in status)
      throw engineError('ENGINE_BUILD_FAILED', `The image build failed with exit status ${exitCode}.`, { exitCode, lastLines });
  } finally {
    signal?.removeEventListener('abort', abort);
  }
};
