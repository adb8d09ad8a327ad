import type { Engine } from './engine.ts';

export interface ProbeOptions {
  /** The host's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Directories from whose programs nothing may be run. */
  readonly exclude: readonly string[];
  /** Deadline of each command, in milliseconds. */
  readonly timeoutMs: number;
}

/** Asks one engine's command for its server: the working engine, or an EngineError that says why not. */
export type ProbeEngine = (file: string, options: ProbeOptions) => Promise<Engine>;
