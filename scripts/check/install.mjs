import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishedExports, publishedPackages, withDependencies } from './packages.mjs';

/** Imports each module of a package, and finds each of its files, from where a person's own code would be. */
const consumer = (/** @type {import('./packages.mjs').Package} */ { name, manifest }) => {
  const lines = publishedExports(manifest).map(({ subpath, types }) => {
    const specifier = JSON.stringify(subpath === '.' ? name : `${name}/${subpath.slice(2)}`);
    return types === undefined
      ? `statSync(fileURLToPath(import.meta.resolve(${specifier})));`
      : `if (Object.keys(await import(${specifier})).length === 0) throw new Error(${specifier} + ' exports nothing');`;
  });
  return [`import { statSync } from 'node:fs';`, `import { fileURLToPath } from 'node:url';`, ...lines, ''].join('\n');
};

/**
 * Installs every published package from its tarball into an empty project, with those of our packages that it needs and nothing else of ours,
 * imports every exported subpath there, and runs its command.
 * @param {Parameters<typeof import('./pack.mjs').packAll>[0]} context
 * @param {ReadonlyMap<string, string>} tarballs
 * @param {string} work
 */
export const installEach = async ({ root, must }, tarballs, work) => {
  const packages = publishedPackages(root);
  for (const own of packages) {
    const project = join(work, own.folder === '.' ? 'aggregate' : own.folder.replace('/', '-'));
    const ours = withDependencies(packages, own.name).map((name) => [name, `file:${tarballs.get(name)}`]);
    const manifest = {
      name: 'empty-project',
      private: true,
      type: 'module',
      dependencies: { [own.name]: `file:${tarballs.get(own.name)}` },
      pnpm: { overrides: Object.fromEntries(ours) },
    };
    await mkdir(project, { recursive: true });
    await writeFile(join(project, 'package.json'), JSON.stringify(manifest));
    await writeFile(join(project, 'consumer.mjs'), consumer(own));
    await must('pnpm', ['install', '--ignore-workspace', '--prefer-offline', '--ignore-scripts'], {
      cwd: project,
      env: { CI: 'true' },
    });
    await must('node', ['consumer.mjs'], { cwd: project });
    // A real session: the command finds the files that go into the image from where it was installed.
    for (const command of Object.keys(own.manifest.bin ?? {}))
      await must(join(project, 'node_modules/.bin', command), ['--agent', 'pi', '--', '--version'], { cwd: project });
    await rm(join(project, 'node_modules'), { recursive: true, force: true });
  }
};
