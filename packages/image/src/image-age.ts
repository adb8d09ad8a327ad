const DAY = 24 * 60 * 60 * 1000;

/** No image of ours is older; reproducible builds and some importers write a date like 1970-01-01 or 0001-01-01. */
const OLDEST = Date.UTC(2013, 0);

/**
 * Whole days since an image was built; undefined when its date says nothing.
 * @param createdAt - ISO 8601, as the engine tells it
 * @param now - milliseconds since 1970
 */
export const imageAgeDays = (createdAt: string, now: number): number | undefined => {
  const built = Date.parse(createdAt);
  // The clock of a virtual machine may run ahead.
  return built >= OLDEST ? Math.max(0, Math.floor((now - built) / DAY)) : undefined;
};
