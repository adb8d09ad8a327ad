/** What a code stands for, in words that hold for every occurrence. Plain text with Markdown's backticks. */
export interface Explanation {
  /** What happened, or what it means. One or more whole sentences. */
  readonly meaning: string;
  /** What to do about it; that nothing needs to be done, where that is so. */
  readonly advice: string;
}

/** An explanation for every code of a union: one that is missing, or left over, is a type error. */
export type Explanations<Code extends string> = Readonly<Record<Code, Explanation>>;
