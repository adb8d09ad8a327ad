import { type Builder, detectBuilder } from '../image/builder.ts';
import { captureOutput } from '../command/capture.ts';
import { dockerInformation, securityOptionNames } from './docker-server-facts.ts';
import type { EngineDetails } from './engine-details.ts';
import type { Engine } from '../engine.ts';
import { isEngineError } from '../error.ts';
import { isObject, type JsonObject, textOf } from '../command/json.ts';
import { parseReport } from './probe.ts';
import { unreachable } from './unreachable.ts';

export interface DescribeEngineOptions {
  /** Deadline in milliseconds; default 10000. */
  readonly timeoutMs?: number;
}

const some = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text === '' ? undefined : text;
};

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** `1`, `2`, `v1` or `v2`. */
const cgroupVersion = (value: unknown): '1' | '2' | undefined => {
  const version = textOf(value).replace(/^v/, '');
  return version === '1' || version === '2' ? version : undefined;
};

/** Reads docker's information, which nerdctl prints as well. */
const likeDocker = (information: JsonObject, builder: Builder): EngineDetails => ({
  operatingSystem: some(information['OperatingSystem']),
  kernelVersion: some(information['KernelVersion']),
  cgroupVersion: cgroupVersion(information['CgroupVersion']),
  storageDriver: some(information['Driver']),
  runtimes: Object.keys(objectOf(information['Runtimes'])).toSorted(),
  defaultRuntime: some(information['DefaultRuntime']),
  securityOptions: securityOptionNames(information),
  builder,
});

const PODMAN_SECURITY = {
  apparmorEnabled: 'apparmor',
  seccompEnabled: 'seccomp',
  selinuxEnabled: 'selinux',
  rootless: 'rootless',
};

const likePodman = (information: JsonObject, builder: Builder): EngineDetails => {
  const host = objectOf(information['host']);
  const security = objectOf(host['security']);
  const distribution = objectOf(host['distribution']);
  const runtime = some(objectOf(host['ociRuntime'])['name']);
  return {
    operatingSystem: some(`${textOf(distribution['distribution'])} ${textOf(distribution['version'])}`.trim()),
    kernelVersion: some(host['kernel']),
    cgroupVersion: cgroupVersion(host['cgroupVersion']),
    storageDriver: some(objectOf(information['store'])['graphDriverName']),
    runtimes: runtime === undefined ? [] : [runtime],
    defaultRuntime: runtime,
    securityOptions: Object.entries(PODMAN_SECURITY).flatMap(([key, name]) => (security[key] === true ? [name] : [])),
    builder,
  };
};

const information = async (engine: Engine, timeoutMs: number): Promise<JsonObject> => {
  if (engine.name === 'docker' && engine.endpoint !== undefined) {
    const { file, environment, endpoint } = engine;
    const signal = AbortSignal.timeout(timeoutMs);
    return dockerInformation(endpoint, { file, environment, signal }).catch((cause: unknown) => {
      if (isEngineError(cause)) throw cause;
      throw unreachable({ engine: 'docker', file, endpoint, endpointSource: engine.endpointSource, cause });
    });
  }
  const format = engine.name === 'podman' ? 'json' : '{{json .}}';
  return parseReport({ stdout: await captureOutput(engine, ['info', '--format', format], { timeoutMs }) }) ?? {};
};

/**
 * Asks an engine for facts that a report shows and a launch does not need.
 * @throws EngineError ENGINE_UNREACHABLE, ENGINE_COMMAND_FAILED or ENGINE_TIMEOUT when it does not answer
 */
export const describeEngine = async (
  engine: Engine,
  { timeoutMs = 10_000 }: DescribeEngineOptions = {},
): Promise<EngineDetails> => {
  const [answer, builder] = await Promise.all([information(engine, timeoutMs), detectBuilder(engine, { timeoutMs })]);
  return engine.name === 'podman' ? likePodman(answer, builder) : likeDocker(answer, builder);
};
