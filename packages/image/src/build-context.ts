import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ContextFile } from './context-file.ts';

/** Name of the Containerfile in the context. */
export const CONTAINERFILE = 'Containerfile';

const place = async (directory: string, { path, mode, content }: ContextFile): Promise<void> => {
  const file = join(directory, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  // Builders copy modes, so the umask must not have a say in them.
  await chmod(file, mode);
  for (let parent = dirname(file); parent !== directory; parent = dirname(parent)) await chmod(parent, 0o755);
};

/** Runs an action on a private directory that holds these files, and deletes it on every way out. */
export const withBuildContext = async <Result>(
  files: readonly ContextFile[],
  action: (directory: string) => Promise<Result>,
): Promise<Result> => {
  const directory = await mkdtemp(join(tmpdir(), 'doompi-sandbox-build-'));
  try {
    for (const file of files) await place(directory, file);
    return await action(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
