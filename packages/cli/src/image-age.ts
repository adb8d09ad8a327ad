/** The age of an image in words. */
export const imageAge = (days: number): string => (days === 0 ? 'built today' : days === 1 ? '1 day old' : `${days} days old`);
