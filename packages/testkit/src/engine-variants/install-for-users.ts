import { rmSync } from 'node:fs';
import { access, chmod, constants, copyFile, cp, mkdtemp, readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLONE } from '../clone.ts';
import { runProgram } from '../run-program.ts';

/** Our built command where every user of the machine can run it. */
export interface Installation {
  /** Mode 0755, with everything below readable. */
  readonly directory: string;
  /** Node 24. */
  readonly node: string;
  /** The command's file, for `node`. */
  readonly bin: string;
}

interface Manifest {
  readonly name: string;
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

/** What a package publishes, as its tarball would hold it. */
const copyPublished = async (from: string, to: string): Promise<Manifest> => {
  const manifest = await readManifest(from);
  for (const name of ['package.json', ...(manifest.files ?? [])]) await cp(join(from, name), join(to, name), { recursive: true });
  return manifest;
};

/** The command is one file; what goes into the image it finds in our packages beside it. */
const install = async (directory: string): Promise<Installation> => {
  const { dependencies = {} } = await copyPublished(CLONE, directory);
  const modules = join(directory, 'node_modules');
  for (const name of Object.keys(dependencies))
    await copyPublished(await realpath(join(CLONE, 'node_modules', name)), join(modules, name));
  const node = join(directory, 'node');
  // Copied, not linked: the directory may be on another file system.
  await copyFile(await realpath(join(CLONE, 'node_modules/node/bin/node')), node, constants.COPYFILE_FICLONE);
  await chmod(node, 0o755);
  const opened = await runProgram('chmod', ['--recursive', 'a+rX,go-w', directory]);
  if (opened.exitCode !== 0) throw new Error(`chmod failed: ${opened.stderr}`);
  return { directory, node, bin: join(directory, 'dist/bin.js') };
};

let installation: Promise<Installation> | undefined;

/**
 * Installs the built command for every user: a clone may lie where others may not look. Once for each process, which removes it at its end.
 * @throws Error when the command is not built.
 */
export const installForUsers = (): Promise<Installation> => {
  installation ??= (async (): Promise<Installation> => {
    await access(join(CLONE, 'dist/bin.js')).catch((cause: unknown) => {
      throw new Error('the command is not built: pnpm build', { cause });
    });
    const directory = await mkdtemp(join(await realpath(tmpdir()), 'doompi-installation-'));
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
    return install(directory);
  })();
  return installation;
};
