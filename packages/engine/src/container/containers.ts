import { setTimeout as wait } from 'node:timers/promises';
import { ANSWER_DEADLINE, type AnswerOptions } from '../command/answer.ts';
import { capture, captureOutput, commandFailed } from '../command/capture.ts';
import type { Engine } from '../engine.ts';
import { assertObjectName } from './assert-names.ts';
import { isObject, type JsonObject, parseObjects, textOf, textRecordOf } from '../command/json.ts';

export interface ContainerSummary {
  /** Full id. */
  readonly id: string;
  readonly name: string;
  /** Image reference that it was created from. */
  readonly image: string;
  /** The engine's word: `created`, `running`, `paused`, `restarting`, `removing`, `exited` or `dead`. */
  readonly state: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Time of creation, ISO 8601. */
  readonly createdAt: string;
}

export interface ListContainersOptions extends AnswerOptions {
  /** Labels that each must carry; `true` accepts any value. Empty means every container. */
  readonly labels: Readonly<Record<string, string | true>>;
}

/** A value that every engine's filter reads as it is: some split at commas, some read quotes and patterns. */
const isPlain = (value: string): boolean => /^[\w.:/@+= -]*$/.test(value);

const filters = (labels: ListContainersOptions['labels']): string[] =>
  Object.entries(labels).flatMap(([name, value]) => [
    '--filter',
    value === true || !isPlain(value) ? `label=${name}` : `label=${name}=${value}`,
  ]);

const carries = ({ labels }: ContainerSummary, wanted: ListContainersOptions['labels']): boolean =>
  Object.entries(wanted).every(([name, value]) => (value === true ? name in labels : labels[name] === value));

const containerIds = async (engine: Engine, selection: readonly string[], timeoutMs: number): Promise<string[]> => {
  const output = await captureOutput(engine, ['container', 'ls', '--all', '--quiet', '--no-trunc', ...selection], { timeoutMs });
  return output.split('\n').filter((line) => line !== '');
};

const summary = (container: JsonObject): ContainerSummary => {
  const config = isObject(container['Config']) ? container['Config'] : {};
  const state = isObject(container['State']) ? container['State'] : {};
  return {
    id: textOf(container['Id']),
    name: textOf(container['Name']).replace(/^\//, ''),
    // docker and podman keep the reference in the configuration; nerdctl has it where those have the image's id.
    image: textOf(config['Image']) || textOf(container['Image']),
    state: textOf(state['Status']),
    labels: textRecordOf(config['Labels']),
    createdAt: textOf(container['Created']),
  };
};

/**
 * Containers that carry all these labels, in any state.
 * @throws EngineError ENGINE_COMMAND_FAILED or ENGINE_TIMEOUT when the engine cannot tell; never an empty list instead
 */
export const listContainers = async (
  engine: Engine,
  { labels, timeoutMs = ANSWER_DEADLINE }: ListContainersOptions,
): Promise<ContainerSummary[]> => {
  // The list prints labels joined by commas, which values may hold; inspect prints them as data, but fails when a container went
  // away in between: then the list is asked again.
  for (let attempt = 1; ; attempt += 1) {
    const ids = await containerIds(engine, filters(labels), timeoutMs);
    if (ids.length === 0) return [];
    const args = ['container', 'inspect', ...ids];
    const answer = await capture(engine, args, { timeoutMs });
    if (answer.exitCode === 0)
      return parseObjects('container inspect', answer.stdout)
        .map(summary)
        .filter((container) => carries(container, labels));
    if (attempt === 5) throw commandFailed(['container', 'inspect'], answer);
  }
};

export interface RemoveContainerOptions extends AnswerOptions {
  /** Longest wait, in milliseconds, for a removal that somebody else started; default 10000. */
  readonly removalMs?: number;
}

/** Whether a container of that name, or whose id begins so, is there. A filter by name means something else in each engine. */
const isPresent = async (engine: Engine, idOrName: string, timeoutMs: number): Promise<boolean> => {
  const args = ['container', 'ls', '--all', '--no-trunc', '--format', '{{.ID}} {{.Names}}'];
  const output = await captureOutput(engine, args, { timeoutMs });
  // A short id has 12 digits; fewer may be a name.
  const isId = /^[0-9a-f]{12,64}$/.test(idOrName);
  return output.split('\n').some((line) => {
    const [id = '', names = ''] = line.trim().split(' ');
    return (isId && id.startsWith(idOrName)) || names.split(',').includes(idOrName);
  });
};

/**
 * Ends and removes a container with its anonymous volumes: true when it was there, false when there was none. Afterwards it is gone.
 * @param id - full or short id, or name
 * @throws EngineError ENGINE_COMMAND_FAILED when it is still there; ENGINE_TIMEOUT when the engine does not answer
 */
export const removeContainer = async (
  engine: Engine,
  id: string,
  { timeoutMs = ANSWER_DEADLINE, removalMs = 10_000 }: RemoveContainerOptions = {},
): Promise<boolean> => {
  assertObjectName('id', id, "a container's id or name");
  const args = ['container', 'rm', '--force', '--volumes', id];
  const answer = await capture(engine, args, { timeoutMs });
  // With --force a container that is not there, and with nerdctl one that could not be removed, is exit status 0 too; only a removed
  // one is printed.
  if (answer.exitCode === 0 && answer.stdout.trim() !== '') return true;
  const deadline = performance.now() + removalMs;
  let seen = false;
  while (await isPresent(engine, id, timeoutMs)) {
    seen = true;
    if (performance.now() > deadline) throw commandFailed(args, answer);
    await wait(100);
  }
  return seen;
};
