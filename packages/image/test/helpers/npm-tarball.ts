import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '@doompi-sandbox/testkit';

/** Writes `<directory>/<name>`, a tarball as `npm pack` makes it, of a package with one command. */
export const npmTarball = async (directory: string, name: string, manifest: Record<string, unknown>): Promise<string> => {
  const content = join(directory, 'package');
  await mkdir(content, { recursive: true });
  await writeFile(join(content, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(content, 'cli.js'), '#!/usr/bin/env node\nconsole.log("stand-in", process.argv.slice(2).join(" "));\n', {
    mode: 0o755,
  });
  const file = join(directory, name);
  const { exitCode, stderr } = await runProgram('tar', ['-czf', file, '-C', directory, 'package']);
  if (exitCode !== 0) throw new Error(stderr);
  return file;
};
