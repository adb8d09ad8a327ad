import type { BrokerErrorCode } from '@doompi-sandbox/broker';
import type { EngineErrorCode } from '@doompi-sandbox/engine';
import type { ImageErrorCode } from '@doompi-sandbox/image';
import type { LaunchErrorCode } from '../error.ts';

/** What a diagnosis finds beside errors that a launch would meet. */
export type FindingCode =
  | 'base-image-missing'
  | 'broker-disabled'
  | 'credentials-missing'
  | 'engine-details-unknown'
  | 'home-is-repository'
  | 'image-missing'
  | 'image-outdated'
  | 'limits-ignored'
  | 'not-a-repository'
  | 'part-failed'
  | 'repository-read-only'
  | 'subordinate-ids-missing'
  | 'terminal-missing'
  | 'terminal-unknown';

/** `error`: no session can start. `warning`: one can, with something missing. `ok`: nothing to do. */
export type Severity = 'ok' | 'warning' | 'error';

/** One thing that a diagnosis found. Safe to print, but for control characters. */
export interface Finding {
  readonly severity: Severity;
  readonly code: FindingCode | BrokerErrorCode | EngineErrorCode | ImageErrorCode | LaunchErrorCode;
  /** What was found, in this case. */
  readonly text: string;
  /** What to do about it. */
  readonly advice: string;
}

/** One part of a diagnosis. */
export interface Section<Facts> {
  /** Null when the part could not be found out; a finding then says why. */
  readonly facts: Facts | null;
  readonly findings: readonly Finding[];
}
