import { probeDocker } from './detect-docker.ts';
import type { Engine } from './engine.ts';
import { type EngineError, engineError, isEngineError } from './error.ts';
import { findProgram } from './find-program.ts';
import { ENGINE_NAMES, type EngineName, isEngineName } from './names.ts';
import type { ProbeEngine } from './probe.ts';

export interface DetectEngineOptions {
  /** The host's environment. PATH finds the commands; what a client reads is kept for later commands. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Name of the engine to use, no other; blank means none. */
  readonly override?: string | undefined;
  /** Repository of the session. Nothing is run from a PATH entry at or below it. */
  readonly repoRoot?: string | undefined;
  /** Deadline for the server's answer, in milliseconds; default 5000. */
  readonly timeoutMs?: number | undefined;
}

const refuse =
  (engine: EngineName): ProbeEngine =>
  (file) => {
    const reason = `this version cannot drive ${engine} yet; it drives docker`;
    return Promise.reject(engineError('ENGINE_UNSUPPORTED', `${file} cannot be used: ${reason}.`, { engine, file, reason }));
  };

const PROBES: Readonly<Record<EngineName, ProbeEngine>> = {
  docker: probeDocker,
  podman: refuse('podman'),
  nerdctl: refuse('nerdctl'),
  finch: refuse('finch'),
};

const candidates = (override: string): readonly EngineName[] => {
  if (override === '') return ENGINE_NAMES;
  if (isEngineName(override)) return [override];
  throw engineError('ENGINE_UNKNOWN', `The engine must be one of ${ENGINE_NAMES.join(', ')}, not ${JSON.stringify(override)}.`, {
    override,
    known: ENGINE_NAMES,
  });
};

/**
 * The first engine on PATH whose server answers within the deadline; with an override that engine or none.
 * @throws EngineError ENGINE_UNKNOWN, ENGINE_NOT_FOUND; ENGINE_UNREACHABLE, ENGINE_TIMEOUT, ENGINE_UNSUPPORTED or ENGINE_NOT_SPAWNED of the first one found
 */
export const detectEngine = async (options: DetectEngineOptions): Promise<Engine> => {
  const { environment, override = '', repoRoot, timeoutMs = 5000 } = options;
  const names = candidates(override.trim());
  const exclude = repoRoot === undefined ? [] : [repoRoot];
  let first: EngineError | undefined;
  for (const name of names) {
    const file = findProgram(name, { path: environment['PATH'], exclude });
    if (file === undefined) continue;
    try {
      return await PROBES[name](file, { environment, exclude, timeoutMs });
    } catch (error) {
      if (!isEngineError(error)) throw error;
      first ??= error;
    }
  }
  if (first !== undefined) throw first;
  throw engineError(
    'ENGINE_NOT_FOUND',
    `No container engine on PATH: looked for ${names.join(', ')}. Install Docker Engine 20.10 or newer (on Debian and Ubuntu: apt-get install docker.io).`,
    { searched: names },
  );
};
