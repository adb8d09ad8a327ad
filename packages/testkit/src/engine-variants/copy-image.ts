import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { CLONE } from '../clone.ts';
import { runProgram } from '../run-program.ts';
import { runOnVariant, variantProgram, type VariantProgram } from './as-user.ts';
import type { EngineVariant } from './variant.ts';

export interface CopiedImage {
  /** False when the variant had the image already. */
  readonly copied: boolean;
  readonly durationMs: number;
}

/** podman leaves the algorithm away. */
const bareId = (id: string): string => id.trim().replace(/^sha256:/, '');

const INSPECT = ['image', 'inspect', '--format', '{{.Id}}'] as const;

const sourceId = async (reference: string): Promise<string> => {
  const shown = await runProgram('docker', [...INSPECT, reference]);
  if (shown.exitCode !== 0) throw new Error(`docker has no image ${reference}: ${shown.stderr.trim()}`);
  return bareId(shown.stdout);
};

const isThere = async (variant: EngineVariant, reference: string, id: string): Promise<boolean> => {
  const shown = await runOnVariant(variant, variant.engine, [...INSPECT, reference]);
  return shown.exitCode === 0 && bareId(shown.stdout) === id;
};

/** Nothing of it is written to a file on the way. */
const saveAndLoad = async (reference: string, load: VariantProgram): Promise<void> => {
  const saving = spawn('docker', ['save', reference], { stdio: ['ignore', 'pipe', 'pipe'] });
  const loading = spawn(load.file, load.args, { cwd: '/', env: load.env, stdio: ['pipe', 'ignore', 'pipe'] });
  const words = Promise.all([text(saving.stderr), text(loading.stderr)]);
  const ends = Promise.all([once(saving, 'close'), once(loading, 'close')]);
  const [piped] = await Promise.allSettled([pipeline(saving.stdout, loading.stdin), ends]);
  if (piped.status === 'rejected' || saving.exitCode !== 0 || loading.exitCode !== 0)
    throw new Error(`${reference} could not be copied: ${(await words).join(' ').trim()}`);
};

/** One copy into a variant at a time, whichever test process asks: the second one then finds the image. */
const exclusively = async <T>(variant: EngineVariant, work: () => Promise<T>): Promise<T> => {
  const directory = join(CLONE, '.state');
  await mkdir(directory, { recursive: true });
  const lock = join(directory, `copy-${variant.id}.lock`);
  const holder = spawn('flock', [lock, 'sh', '-c', 'echo held; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const closed = once(holder, 'close');
  await Promise.race([once(holder.stdout, 'data'), closed]);
  try {
    return await work();
  } finally {
    holder.stdin.end();
    await closed;
  }
};

/**
 * Makes an image of the docker that the CLI takes available in a variant, under the same reference. References of sandbox images hold a digest
 * of their definition, so that the launcher takes the copy for one that it built there.
 * Costs about 35 ms when it is there, else 10 to 20 s for 700 MB.
 */
export const copyImage = async (reference: string, variant: EngineVariant): Promise<CopiedImage> => {
  const started = performance.now();
  const id = await sourceId(reference);
  const copied =
    !(await isThere(variant, reference, id)) &&
    (await exclusively(variant, async () => {
      if (await isThere(variant, reference, id)) return false;
      await saveAndLoad(reference, await variantProgram(variant, variant.engine, ['load']));
      if (!(await isThere(variant, reference, id))) throw new Error(`${variant.id} loaded ${reference} but does not have it`);
      return true;
    }));
  return { copied, durationMs: performance.now() - started };
};
