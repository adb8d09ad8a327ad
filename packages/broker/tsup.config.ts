import { library, type LibraryConfig } from '../../tsup.base.ts';

const config: LibraryConfig = library({ entry: ['src/index.ts'] });

export default config;
