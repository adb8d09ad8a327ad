const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Array.isArray(value);
};

const unfit = (at: string, what: string): TypeError =>
  new TypeError(
    `Invalid API contract: ${at === '' ? 'it' : at} is ${what}; only finite JSON data without cycles can be exported`,
  );

const visit = (value: unknown, at: string, ancestors: readonly object[]): void => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw unfit(at, 'not a finite number');
    return;
  }
  if (typeof value !== 'object') throw unfit(at, `of type ${typeof value}`);
  if (ancestors.includes(value)) throw unfit(at, 'part of itself');
  if (!isPlain(value)) throw unfit(at, 'an object of a class');
  const inside = [...ancestors, value];
  if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, `${at}[${index}]`, inside);
  else for (const [key, item] of Object.entries(value)) visit(item, at === '' ? key : `${at}.${key}`, inside);
};

/**
 * Refuses what JSON cannot hold: it would be lost without a word when the contract is written to a file.
 * @throws TypeError naming the place.
 */
export const assertJson = (value: unknown): void => visit(value, '', []);
