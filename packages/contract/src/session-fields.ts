export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const text = (value: unknown, field: string): string => {
  if (typeof value !== 'string' || value === '') throw new TypeError(`Session file: ${field} must be a non-empty string`);
  return value;
};

export const port = (value: unknown, field: string): number => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 65535)
    throw new TypeError(`Session file: ${field} must be a port number`);
  return value;
};
