import { errorFinding, type Finding } from './finding.ts';
import type { Answer } from './question.ts';

/** One part of a diagnosis. */
export interface Section<Facts> {
  /** Null when the part could not be found out; a finding then says why. */
  readonly facts: Facts | null;
  readonly findings: readonly Finding[];
}

/** A part from its answer: what the facts mean, or that there are none, which ends a launch as well. */
export const sectionOf = <Facts>(
  part: string,
  answer: Answer<Facts>,
  judge: (facts: Facts) => readonly Finding[],
): Section<Facts> =>
  'facts' in answer
    ? { facts: answer.facts, findings: judge(answer.facts) }
    : { facts: null, findings: [errorFinding('error', part, answer.failure)] };
