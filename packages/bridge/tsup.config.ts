import { library, type LibraryConfig } from '../../tsup.base.ts';

/** `entry` is copied into images as one file, so everything it imports is bundled into it. */
const config: LibraryConfig = library({ entry: ['src/index.ts', 'src/entry.ts'], noExternal: [/^@doompi-sandbox\//] });

export default config;
