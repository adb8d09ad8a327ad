/** Whether a version such as `20.10.24+dfsg1` is at least `[major, minor]`. One that is no number (`dev`) is taken for new. */
export const isAtLeast = (version: string, [major, minor]: readonly [number, number]): boolean => {
  const parts = /^v?(\d+)(?:\.(\d+))?/.exec(version.trim());
  if (parts === null) return true;
  const [, first = '0', second = '0'] = parts;
  return Number(first) > major || (Number(first) === major && Number(second) >= minor);
};
