/** The package has types, but its `exports` do not lead to them. */
declare module 'esbuild-plugin-license' {
  import type { Plugin } from 'esbuild';

  interface BundledPackage {
    readonly packageJson: { readonly name: string; readonly version: string };
    readonly licenseText: string;
  }

  interface Options {
    readonly banner: string;
    readonly thirdParty: { readonly output: { readonly file: string; template(packages: readonly BundledPackage[]): string } };
  }

  const license: (options: Options) => Plugin;
  export default license;
}
