import manifest from '../package.json' with { type: 'json' };

/** Version of this package, as labels carry it. */
export const HARNESS_VERSION: string = manifest.version;
