import { engineError } from '../error.ts';

/** A JSON object of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];

/** Entries of an object whose values are text. */
export const textRecordOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

/** The objects of a JSON array that a command printed. */
export const parseObjects = (command: string, answer: string): JsonObject[] => {
  try {
    const value: unknown = JSON.parse(answer);
    if (Array.isArray(value) && value.every(isObject)) return value;
  } catch {
    // The same refusal as for JSON of another shape.
  }
  throw engineError('ENGINE_ANSWER_UNREADABLE', `The engine's answer to "${command}" is not a JSON array of objects.`, {
    command,
    answer: answer.slice(0, 2000),
  });
};
