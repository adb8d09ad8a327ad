import { ANSWER_DEADLINE, type AnswerOptions } from '../command/answer.ts';
import { capture, captureOutput, commandFailed } from '../command/capture.ts';
import { assertObjectName } from '../container/assert-names.ts';
import type { Engine } from '../engine.ts';
import { csvField } from '../container/csv-field.ts';
import { parseObjects, textOf, textRecordOf } from '../command/json.ts';

export interface VolumeInfo {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Time of creation, ISO 8601; empty when the engine does not tell. */
  readonly createdAt: string;
}

export interface CreateVolumeOptions extends AnswerOptions {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

const assertName = (field: string, name: string): void => assertObjectName(field, name, "a volume's name");

const presentNames = async (engine: Engine, names: readonly string[], timeoutMs: number): Promise<string[]> => {
  const present = new Set((await captureOutput(engine, ['volume', 'ls', '--quiet'], { timeoutMs })).split('\n'));
  return names.filter((name) => present.has(name));
};

/**
 * The named volumes that are there, in the order of `names`; one that is not there is left out.
 * @throws EngineError ENGINE_COMMAND_FAILED or ENGINE_TIMEOUT when the engine cannot tell
 */
export const inspectVolumes = async (
  engine: Engine,
  names: readonly string[],
  { timeoutMs = ANSWER_DEADLINE }: AnswerOptions = {},
): Promise<VolumeInfo[]> => {
  for (const name of names) assertName('names', name);
  // podman takes the beginning of a name for the name, and refuses one that several begin with; nerdctl prints none when one is absent.
  const asked = engine.name === 'docker' ? names : await presentNames(engine, names, timeoutMs);
  if (asked.length === 0) return [];
  const args = ['volume', 'inspect', ...asked];
  const answer = await capture(engine, args, { timeoutMs });
  // With an absent name among them the exit status is that of any failure, and docker still prints the others. Each name that is
  // missing has to be told absent, whatever a client or a wrapper has to say besides; anything else is a failure.
  const absences = answer.stderr.split('\n').filter((line) => /no such volume/i.test(line));
  if (answer.exitCode !== 0 && absences.length === 0) throw commandFailed(args, answer);
  const found = parseObjects('volume inspect', answer.stdout).map((volume) => ({
    name: textOf(volume['Name']),
    labels: textRecordOf(volume['Labels']),
    createdAt: textOf(volume['CreatedAt']),
  }));
  const told = (name: string): boolean =>
    found.some((volume) => volume.name === name) || absences.some((line) => line.split(/[\s:"]+/).includes(name));
  if (answer.exitCode !== 0 && !asked.every(told)) throw commandFailed(args, answer);
  return names.flatMap((name) => found.filter((volume) => volume.name === name));
};

/**
 * Labels as `volume create` takes them. Older podman reads each as a record of comma-separated values, newer podman as it is; its
 * help says which, and only a label that would be read in two ways makes it worth asking.
 */
const labelOptions = async (engine: Engine, labels: Readonly<Record<string, string>>, timeoutMs: number): Promise<string[]> => {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
  const plain = engine.name !== 'podman' || pairs.every((pair) => !/[",\r\n]/.test(pair));
  const records = !plain && /--label strings/.test(await captureOutput(engine, ['volume', 'create', '--help'], { timeoutMs }));
  return pairs.flatMap((pair) => ['--label', records ? csvField(pair) : pair]);
};

/**
 * Makes sure that a named volume exists. One that is there keeps its labels: look at them with {@link inspectVolumes}.
 * @throws EngineError ENGINE_COMMAND_FAILED or ENGINE_TIMEOUT
 */
export const createVolume = async (
  engine: Engine,
  { name, labels, timeoutMs = ANSWER_DEADLINE }: CreateVolumeOptions,
): Promise<void> => {
  assertName('name', name);
  const args = ['volume', 'create', ...(await labelOptions(engine, labels, timeoutMs)), name];
  const answer = await capture(engine, args, { timeoutMs });
  // docker takes a name that exists, podman refuses it.
  if (answer.exitCode !== 0 && (await inspectVolumes(engine, [name], { timeoutMs })).length === 0)
    throw commandFailed(args, answer);
};

/**
 * Removes a named volume: true when it was there, false when there was none.
 * @throws EngineError ENGINE_COMMAND_FAILED when it is still there, for instance because a container uses it; ENGINE_TIMEOUT
 */
export const removeVolume = async (
  engine: Engine,
  name: string,
  { timeoutMs = ANSWER_DEADLINE }: AnswerOptions = {},
): Promise<boolean> => {
  assertName('name', name);
  const isThere = async (): Promise<boolean> => (await presentNames(engine, [name], timeoutMs)).length > 0;
  // Asked for a name that is not there, podman would remove the one volume whose name begins with it.
  if (!(await isThere())) return false;
  const args = ['volume', 'rm', name];
  const answer = await capture(engine, args, { timeoutMs });
  if (answer.exitCode === 0) return true;
  if (await isThere()) throw commandFailed(args, answer);
  return false;
};
