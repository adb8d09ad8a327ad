import { fileURLToPath } from 'node:url';

/** The clone that this package belongs to. Of the same depth from `src` and from `dist`. */
export const CLONE: string = fileURLToPath(new URL('../../../', import.meta.url));
