/** Throws a TypeError, which names the place, unless the value has the shape. */
export type Check = (value: unknown, at: string) => void;

const invalid = (at: string, expected: string): TypeError =>
  new TypeError(`Invalid API contract: ${at === '' ? 'it' : at} must be ${expected}`);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const name: Check = (value, at) => {
  if (typeof value !== 'string' || value === '') throw invalid(at, 'a non-empty string');
};

export const flag: Check = (value, at) => {
  if (typeof value !== 'boolean') throw invalid(at, 'true or false');
};

/** A JSON Schema: an object, `true` or `false`. What it says is not looked at. */
export const schema: Check = (value, at) => {
  if (typeof value !== 'boolean' && !isRecord(value)) throw invalid(at, 'a JSON Schema (an object or a boolean)');
};

export const oneOf =
  (...values: readonly (string | number)[]): Check =>
  (value, at) => {
    if (!(values as readonly unknown[]).includes(value))
      throw invalid(at, values.map((each) => JSON.stringify(each)).join(' or '));
  };

export const matching =
  (pattern: RegExp, expected: string): Check =>
  (value, at) => {
    if (typeof value !== 'string' || !pattern.test(value)) throw invalid(at, expected);
  };

export const list =
  (item: Check, minimum = 0): Check =>
  (value, at) => {
    if (!Array.isArray(value) || value.length < minimum) throw invalid(at, minimum === 0 ? 'a list' : 'a non-empty list');
    for (const [index, each] of value.entries()) item(each, `${at}[${index}]`);
  };

export const map =
  (key: Check, item: Check, minimum = 0): Check =>
  (value, at) => {
    if (!isRecord(value) || Object.keys(value).length < minimum)
      throw invalid(at, minimum === 0 ? 'an object' : 'a non-empty object');
    for (const [each, content] of Object.entries(value)) {
      key(each, `a key of ${at}`);
      item(content, `${at}.${each}`);
    }
  };

/** Members that are not named are allowed: later versions may add some. */
export const record =
  (required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check =>
  (value, at) => {
    if (!isRecord(value)) throw invalid(at, 'an object');
    const within = at === '' ? '' : `${at}.`;
    for (const [key, check] of Object.entries(required)) check(value[key], `${within}${key}`);
    for (const [key, check] of Object.entries(optional)) if (Object.hasOwn(value, key)) check(value[key], `${within}${key}`);
  };
