import { runOnVariant } from './engine-variants/as-user.ts';
import type { EngineVariant } from './engine-variants/variant.ts';
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

const output = async (variant: EngineVariant | undefined, args: readonly string[]): Promise<string> => {
  const result = variant === undefined ? await runProgram('docker', args) : await runOnVariant(variant, variant.engine, args);
  if (result.exitCode !== 0)
    throw new Error(`${variant?.id ?? 'docker'}: ${args.slice(0, 2).join(' ')} failed: ${result.stderr.trim()}`);
  return result.stdout;
};

/**
 * Removes every container, volume, network and image that carries the label, and nothing else.
 * @param label `name=value`, or `name` for every value.
 * @param variant default: the docker that the CLI takes.
 * @returns how many objects were removed.
 * @throws Error when the engine refuses one of them.
 */
export const removeByLabel = async (label: string, variant?: EngineVariant): Promise<number> => {
  let removed = 0;
  for (const [list, remove] of KINDS) {
    const ids = new Set((await output(variant, [...list, '--filter', `label=${label}`])).split('\n').filter((id) => id !== ''));
    if (ids.size > 0) await output(variant, [...remove, ...ids]);
    removed += ids.size;
  }
  return removed;
};
