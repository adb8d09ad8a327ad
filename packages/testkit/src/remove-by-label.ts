import { runProgram } from './run-program.ts';

/** Containers first: they hold volumes, networks and images. */
const KINDS: readonly (readonly [list: readonly string[], remove: readonly string[]])[] = [
  [
    ['ps', '--all', '--quiet', '--no-trunc'],
    ['rm', '--force', '--volumes'],
  ],
  [
    ['volume', 'ls', '--quiet'],
    ['volume', 'rm', '--force'],
  ],
  [
    ['network', 'ls', '--quiet', '--no-trunc'],
    ['network', 'rm'],
  ],
  [
    ['image', 'ls', '--quiet', '--no-trunc'],
    ['image', 'rm', '--force'],
  ],
];

const docker = async (args: readonly string[]): Promise<string> => {
  const result = await runProgram('docker', args);
  if (result.exitCode !== 0) throw new Error(`docker ${args.slice(0, 2).join(' ')} failed: ${result.stderr.trim()}`);
  return result.stdout;
};

/**
 * Removes every container, volume, network and image that carries the label, and nothing else.
 * @param label `name=value`, or `name` for every value.
 * @returns how many objects were removed.
 * @throws Error when docker refuses one of them.
 */
export const removeByLabel = async (label: string): Promise<number> => {
  let removed = 0;
  for (const [list, remove] of KINDS) {
    const ids = new Set((await docker([...list, '--filter', `label=${label}`])).split('\n').filter((id) => id !== ''));
    if (ids.size > 0) await docker([...remove, ...ids]);
    removed += ids.size;
  }
  return removed;
};
