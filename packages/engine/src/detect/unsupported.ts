import { type EngineError, engineError } from '../error.ts';
import type { EngineName } from '../names.ts';

/** An engine that was found and cannot be driven, with the reason as the end of a sentence. */
export const unsupported = (engine: EngineName, file: string, reason: string): EngineError =>
  engineError('ENGINE_UNSUPPORTED', `${file} cannot be used: ${reason}.`, { engine, file, reason });
