/** Longest wait, in milliseconds, for one answer: a server may stop answering while its socket still accepts. */
export const ANSWER_DEADLINE = 30_000;

/** What every question about the engine's objects takes. */
export interface AnswerOptions {
  /** Deadline of each of the engine's commands, in milliseconds; default 30000. */
  readonly timeoutMs?: number;
}
