import type { BrokerErrorCode } from '@doompi-sandbox/broker';
import type { EngineErrorCode } from '@doompi-sandbox/engine';
import type { ImageErrorCode } from '@doompi-sandbox/image';
import type { LaunchErrorCode } from '../error.ts';
import { explainError } from '../messages/catalogue.ts';
import { FINDING_MESSAGES } from '../messages/findings.ts';
import type { FindingCode } from './finding-code.ts';

/** `error`: no session can start. `warning`: one can, with something missing. `ok`: nothing needs to be done. */
export type Severity = 'ok' | 'warning' | 'error';

/** One thing that a diagnosis found. Holds no secret; control characters are the printer's business. */
export interface Finding {
  readonly severity: Severity;
  readonly code: FindingCode | BrokerErrorCode | EngineErrorCode | ImageErrorCode | LaunchErrorCode;
  /** What was found, in this case. */
  readonly text: string;
  /** What to do about it. */
  readonly advice: string;
}

/** A finding of the diagnosis' own, with the advice that its code has everywhere. */
export const finding = (severity: Severity, code: FindingCode, text: string): Finding => ({
  severity,
  code,
  text,
  advice: FINDING_MESSAGES[code].advice,
});

type OwnErrorCode = Exclude<Finding['code'], FindingCode>;

/** A finding for an error that a launch would meet, or has met here: ours by its code, any other as a part that failed. */
export const errorFinding = (severity: Severity, part: string, failure: unknown): Finding => {
  const text = failure instanceof Error ? failure.message : String(failure);
  const code: unknown = failure instanceof Error && 'code' in failure ? failure.code : undefined;
  const explanation = typeof code === 'string' ? explainError(code) : undefined;
  // Explained codes are those of the packages whose unions the type lists.
  if (explanation !== undefined) return { severity, code: code as OwnErrorCode, text, advice: explanation.advice };
  return finding(severity, 'part-failed', `${part} could not be found out: ${text}`);
};
