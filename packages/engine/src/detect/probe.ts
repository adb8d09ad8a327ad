import type { CaptureResult } from '../command/command.ts';
import type { Engine } from '../engine.ts';
import { isObject, type JsonObject } from '../command/json.ts';

export interface ProbeOptions {
  /** The host's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Directories from whose programs and configuration nothing may be run. */
  readonly exclude: readonly string[];
  /** Docker's endpoint as the person chose it; blank means none. */
  readonly endpoint: string;
  /** User id of this process; undefined where there is none. */
  readonly uid: number | undefined;
  /** Operating system of this host, as `process.platform` has it. */
  readonly platform: NodeJS.Platform;
  /** Release of this host's kernel, as `uname -r` has it. */
  readonly kernelRelease: string;
  /** Reaches its end at the deadline that all questions of a detection share. */
  readonly signal: AbortSignal;
}

/** Asks one engine's command for its server: the working engine, or an EngineError that says why not. */
export type ProbeEngine = (file: string, options: ProbeOptions) => Promise<Engine>;

/** The JSON object in an answer, whatever a wrapper prints around it; undefined when there is none. */
export const parseReport = ({ stdout }: Pick<CaptureResult, 'stdout'>): JsonObject | undefined => {
  for (const text of [stdout, stdout.slice(stdout.indexOf('{'), stdout.lastIndexOf('}') + 1)]) {
    try {
      const value: unknown = JSON.parse(text);
      if (isObject(value)) return value;
    } catch {
      // The next reading, or none.
    }
  }
  return undefined;
};
