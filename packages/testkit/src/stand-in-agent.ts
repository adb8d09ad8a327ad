import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export interface StandInAgent extends AsyncDisposable {
  /** Absolute path of the package's tarball; its bytes are the same each time. */
  readonly tarball: string;
}

/** Runs its arguments as a command, so that a test decides what the "agent" does. */
const PROGRAM = '#!/bin/sh\nexec "$@"\n';

const manifest = (bin: boolean): string =>
  JSON.stringify({
    name: '@agimon-ai/doompi',
    version: '0.0.1-standin.1',
    description: 'Stand-in for the doompi agent in tests: runs its arguments as a command.',
    ...(bin ? { bin: { doompi: 'doompi.sh' } } : {}),
  });

/**
 * Packs a stand-in for the `doompi` agent as npm would. Without `bin` the package has no command.
 * Everything in the tarball is fixed, so that an image built from it is built once.
 */
export const packStandInAgent = async (options: { readonly bin?: boolean } = {}): Promise<StandInAgent> => {
  const { bin = true } = options;
  const directory = await temporaryDirectory();
  // Sessions of other users install it too.
  await chmod(directory.path, 0o755);
  const root = join(directory.path, 'package');
  const tarball = join(directory.path, 'agimon-ai-doompi-0.0.1-standin.1.tgz');
  await mkdir(root);
  await writeFile(join(root, 'package.json'), manifest(bin));
  await writeFile(join(root, 'doompi.sh'), PROGRAM);
  await chmod(join(root, 'doompi.sh'), 0o755);
  const fixed = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=a+rX,u+w,go-w'];
  const packed = await runProgram('tar', [...fixed, '-I', 'gzip -n', '-cf', tarball, '-C', directory.path, 'package']);
  if (packed.exitCode !== 0) throw new Error(`tar failed: ${packed.stderr}`);
  return { tarball, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
};
