import type { Engine } from '../engine.ts';
import type { EngineError } from '../error.ts';
import type { EngineName } from '../names.ts';

/** What became of one candidate, the command called `candidate`. */
export type EngineFinding =
  | {
      readonly candidate: EngineName;
      /** No command of that name on PATH. */
      readonly outcome: 'absent';
    }
  | {
      readonly candidate: EngineName;
      readonly outcome: 'working';
      readonly file: string;
      /** Its `name` differs from `candidate` when the command is another engine under that name. */
      readonly engine: Engine;
    }
  | {
      readonly candidate: EngineName;
      readonly outcome: 'unusable';
      readonly file: string;
      readonly error: EngineError;
    };
