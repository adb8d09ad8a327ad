import { release } from 'node:os';
import { probeDocker } from './detect-docker.ts';
import { probeFinch } from './detect-finch.ts';
import { probeNerdctl } from './detect-nerdctl.ts';
import { probePodman } from './detect-podman.ts';
import type { Engine } from '../engine.ts';
import { engineError, isEngineError } from '../error.ts';
import { findProgram } from '../command/find-program.ts';
import type { EngineFinding } from './finding.ts';
import { ENGINE_NAMES, type EngineName, isEngineName } from '../names.ts';
import type { ProbeEngine, ProbeOptions } from './probe.ts';
import { unreachable } from './unreachable.ts';

export interface SurveyEnginesOptions {
  /** The host's environment. PATH finds the commands; what a client reads is kept for later commands. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Repository of the session. Nothing is run from a PATH entry at or below it, and no configuration there is obeyed. */
  readonly repoRoot?: string | undefined;
  /** Docker's endpoint, in any spelling that `parseEndpoint` takes; blank means none. */
  readonly endpoint?: string | undefined;
  /** Deadline of all questions together, in milliseconds; default 4000. */
  readonly timeoutMs?: number | undefined;
  /** User id of this process: default its real one. */
  readonly uid?: number | undefined;
  /** Default: this process's. */
  readonly platform?: NodeJS.Platform | undefined;
  /** Release of this host's kernel; default its real one. */
  readonly kernelRelease?: string | undefined;
  /** Ends the questions; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface DetectEngineOptions extends SurveyEnginesOptions {
  /** Name of the engine to use, no other; blank means none. */
  readonly override?: string | undefined;
  /** Told of each candidate on PATH that was passed over for a later one. */
  readonly onSkipped?: ((finding: Extract<EngineFinding, { outcome: 'unusable' }>) => void) | undefined;
}

/** Leaves a command that has to answer within 5 seconds the time to start and to say what it found. */
const DETECTION_DEADLINE = 4000;

const PROBES: Readonly<Record<EngineName, ProbeEngine>> = {
  docker: probeDocker,
  podman: probePodman,
  nerdctl: probeNerdctl,
  finch: probeFinch,
};

const timedOut = (timeoutMs: number): Error =>
  engineError('ENGINE_TIMEOUT', `No answer within ${timeoutMs} ms.`, { file: '', command: 'version', timeoutMs });

const find = async (name: EngineName, options: ProbeOptions): Promise<EngineFinding> => {
  const file = findProgram(name, { path: options.environment['PATH'], exclude: options.exclude });
  if (file === undefined) return { candidate: name, outcome: 'absent' };
  try {
    return { candidate: name, outcome: 'working', file, engine: await PROBES[name](file, options) };
  } catch (error) {
    if (isEngineError(error, 'ENGINE_TIMEOUT'))
      return { candidate: name, outcome: 'unusable', file, error: unreachable({ engine: name, file, cause: error }) };
    if (!isEngineError(error)) throw error;
    return { candidate: name, outcome: 'unusable', file, error };
  }
};

interface Survey {
  /** One question for each name, all of them under way. */
  readonly findings: readonly Promise<EngineFinding>[];
  /** Ends what is still under way. */
  end(): void;
}

/** Asks all at once. */
const startSurvey = (names: readonly EngineName[], options: SurveyEnginesOptions): Survey => {
  const { environment, repoRoot, endpoint = '', timeoutMs = DETECTION_DEADLINE, signal } = options;
  const { uid = process.getuid?.(), platform = process.platform, kernelRelease = release() } = options;
  signal?.throwIfAborted();
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(timedOut(timeoutMs)), timeoutMs);
  const probe: ProbeOptions = {
    environment,
    exclude: repoRoot === undefined ? [] : [repoRoot],
    endpoint,
    uid,
    platform,
    kernelRelease,
    signal: signal === undefined ? end.signal : AbortSignal.any([end.signal, signal]),
  };
  const findings = names.map((name) => find(name, probe));
  // Those that nobody waits for any more must not end the process.
  for (const finding of findings) finding.catch(() => undefined);
  return {
    findings,
    end: () => {
      clearTimeout(timer);
      end.abort(new Error('the answer is not wanted any more'));
    },
  };
};

/**
 * Asks every candidate side by side, in the order of preference, and says what became of each.
 * @throws the signal's reason
 */
export const surveyEngines = async (options: SurveyEnginesOptions): Promise<readonly EngineFinding[]> => {
  const survey = startSurvey(ENGINE_NAMES, options);
  try {
    return await Promise.all(survey.findings);
  } finally {
    survey.end();
  }
};

const wanted = (override: string, endpoint: string): readonly EngineName[] => {
  if (override !== '' && !isEngineName(override))
    throw engineError(
      'ENGINE_UNKNOWN',
      `The engine must be one of ${ENGINE_NAMES.join(', ')}, not ${JSON.stringify(override)}.`,
      {
        override,
        known: ENGINE_NAMES,
      },
    );
  if (endpoint === '') return isEngineName(override) ? [override] : ENGINE_NAMES;
  // An endpoint is Docker's: whoever names one wants no other engine in its place.
  if (override === '' || override === 'docker') return ['docker'];
  const reason = 'an endpoint can be given for docker only';
  throw engineError('ENGINE_UNSUPPORTED', `${override} cannot be used: ${reason}.`, {
    engine: isEngineName(override) ? override : 'docker',
    file: '',
    reason,
  });
};

const notFound = (names: readonly EngineName[]): Error =>
  engineError(
    'ENGINE_NOT_FOUND',
    `No container engine on PATH: looked for ${names.join(', ')}. Install Docker Engine 20.10 or newer or Podman 4.3 or newer (on Debian and Ubuntu: apt-get install docker.io, or podman).`,
    { searched: names },
  );

/**
 * What a launch with these options would use, of findings that are there already.
 * @throws EngineError as {@link detectEngine} does
 */
export const pickEngine = (
  findings: readonly EngineFinding[],
  { override = '', endpoint = '' }: Pick<DetectEngineOptions, 'override' | 'endpoint'> = {},
): Engine => {
  const names = wanted(override.trim(), endpoint.trim());
  const candidates = findings.filter(({ candidate }) => names.includes(candidate));
  for (const finding of candidates) if (finding.outcome === 'working') return finding.engine;
  for (const finding of candidates) if (finding.outcome === 'unusable') throw finding.error;
  throw notFound(names);
};

/**
 * The first engine in the order of preference that works: all are asked side by side, and it is taken as soon as all before it have
 * failed. With an override, or an endpoint, that engine or none.
 * @throws EngineError ENGINE_UNKNOWN, ENGINE_NOT_FOUND; of the first one on PATH ENGINE_UNREACHABLE, ENGINE_UNSUPPORTED,
 * ENGINE_ENDPOINT_INVALID, ENGINE_CONFIGURATION_REFUSED or ENGINE_NOT_SPAWNED; the signal's reason
 */
export const detectEngine = async (options: DetectEngineOptions): Promise<Engine> => {
  const { override = '', endpoint = '', onSkipped } = options;
  const names = wanted(override.trim(), endpoint.trim());
  const survey = startSurvey(names, options);
  const findings: EngineFinding[] = [];
  try {
    for (const answer of survey.findings) {
      const finding = await answer;
      findings.push(finding);
      if (finding.outcome === 'working') break;
    }
  } finally {
    survey.end();
  }
  const engine = pickEngine(findings, { override, endpoint });
  for (const finding of findings) if (finding.outcome === 'unusable') onSkipped?.(finding);
  return engine;
};
