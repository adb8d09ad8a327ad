/** An answer, or why there is none. */
export type Answer<Facts> = { readonly facts: Facts } | { readonly failure: unknown };

/** Longest wait for one part of a diagnosis, in milliseconds. */
export const PART_DEADLINE = 5000;

const late = (deadlineMs: number): { readonly promise: Promise<never>; readonly stop: () => void } => {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${deadlineMs / 1000} s`)), deadlineMs);
  });
  return { promise, stop: () => clearTimeout(timer) };
};

/** Asks for one part; a failure, or no answer in time, is an answer too, so that the other parts are still told. */
export const ask = async <Facts>(question: () => Promise<Facts>, deadlineMs: number = PART_DEADLINE): Promise<Answer<Facts>> => {
  const { promise, stop } = late(deadlineMs);
  try {
    return { facts: await Promise.race([question(), promise]) };
  } catch (failure) {
    return { failure };
  } finally {
    stop();
  }
};

/** The facts of an answer, or undefined. */
export const factsOf = <Facts>(answer: Answer<Facts>): Facts | undefined => ('facts' in answer ? answer.facts : undefined);
