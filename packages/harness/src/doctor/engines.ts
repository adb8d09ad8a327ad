import { type Engine, type EngineDetails, type EngineFinding, type EngineName, pickEngine } from '@doompi-sandbox/engine';
import { engineFacts, type EngineFacts } from '../launch/plan/engine-facts.ts';
import { errorFinding, finding, type Finding } from './finding.ts';

/** One candidate and what became of it. */
export interface EngineCandidate {
  /** Name of the command that was looked for. */
  readonly candidate: EngineName;
  /** `usable`: it works, and another one comes before it. */
  readonly outcome: 'taken' | 'usable' | 'unusable' | 'absent';
  /** Absolute path of the command; null without one. */
  readonly file: string | null;
  /** What it says it is, whatever its command is called; null unless it works. */
  readonly engine: EngineFacts | null;
  /** Why it was not taken; null for the one that was. */
  readonly reason: string | null;
  /** Of the error that makes it unusable. */
  readonly code: string | null;
}

export interface EnginesFacts {
  /** In the order of preference. */
  readonly candidates: readonly EngineCandidate[];
  /** Of the engine that was taken; null without one, or when it does not tell. */
  readonly details: EngineDetails | null;
}

/** The engine that a launch takes of these, or the error that it ends with. */
export interface EngineChoice {
  readonly survey: readonly EngineFinding[];
  /** The engine that was asked for, no other. */
  readonly override: string | undefined;
  readonly engine: Engine | undefined;
  /** Set when there is no engine. */
  readonly failure: unknown;
}

export const chooseEngine = (survey: readonly EngineFinding[], override: string | undefined, endpoint?: string): EngineChoice => {
  try {
    return { survey, override, engine: pickEngine(survey, { override, endpoint }), failure: undefined };
  } catch (failure) {
    return { survey, override, engine: undefined, failure };
  }
};

const isTaken = (found: EngineFinding, engine: Engine | undefined): boolean =>
  found.outcome === 'working' && found.engine === engine;

/** A survey as data, with the reason for each that was not taken. Pure. */
export const engineCandidates = ({ survey, override, engine }: EngineChoice): EngineCandidate[] => {
  const taken = survey.find((found) => isTaken(found, engine))?.candidate;
  const passedOver = override !== undefined ? `${override} was asked for` : `${taken ?? ''} comes before it`;
  return survey.map((found) => {
    const { candidate } = found;
    switch (found.outcome) {
      case 'absent':
        return { candidate, outcome: 'absent', file: null, engine: null, reason: 'not on PATH', code: null };
      case 'unusable': {
        const { message, code } = found.error;
        return { candidate, outcome: 'unusable', file: found.file, engine: null, reason: message, code };
      }
      case 'working': {
        const own = { candidate, file: found.file, engine: engineFacts(found.engine), code: null };
        return candidate === taken
          ? { ...own, outcome: 'taken', reason: null }
          : { ...own, outcome: 'usable', reason: passedOver };
      }
    }
  });
};

/** What is reached over tcp or ssh may not have the repository: only a launch shows. */
export const judgeLocation = (engine: Engine | undefined): readonly Finding[] =>
  engine?.location === 'remote'
    ? [
        finding(
          'warning',
          'files-perhaps-not-shared',
          `${engine.name} is reached over tcp or ssh: a session starts only if it has this machine's files`,
        ),
      ]
    : [];

/** Docker lists every runtime that `--runtime` takes; other engines only the one in use. */
export const judgeRuntime = (
  engine: Engine | undefined,
  details: EngineDetails | undefined,
  runtime: string | undefined,
): readonly Finding[] => {
  if (engine?.name !== 'docker' || details === undefined || runtime === undefined) return [];
  const { runtimes } = details;
  if (runtimes.length === 0 || runtimes.includes(runtime)) return [];
  return [finding('error', 'runtime-missing', `the engine has no runtime ${runtime}; it has ${runtimes.join(', ')}`)];
};

export interface IdFacts {
  readonly uid: number;
  /** How many subordinate ids the user has; null where nothing tells. */
  readonly subordinateIds: number | null;
}

/**
 * What a survey means for a launch. A candidate that fails is worth a word when it would have been taken: with an engine only if it comes
 * first, without one always.
 */
export const judgeEngines = (choice: EngineChoice, { uid, subordinateIds }: IdFacts): readonly Finding[] => {
  const { survey, override, engine, failure } = choice;
  const taken = survey.findIndex((found) => isTaken(found, engine));
  const findings: Finding[] = [];
  if (override === undefined)
    for (const found of engine === undefined ? survey : survey.slice(0, taken))
      if (found.outcome === 'unusable')
        findings.push(errorFinding(engine === undefined ? 'error' : 'warning', found.candidate, found.error));
  if (engine === undefined && findings.length === 0) findings.push(errorFinding('error', 'engines', failure));
  const podman = survey.some(({ candidate, outcome }) => candidate === 'podman' && outcome !== 'absent');
  if (podman && uid !== 0 && subordinateIds === 0)
    findings.push(finding('warning', 'subordinate-ids-missing', 'your user has no subordinate ids for rootless podman'));
  return findings;
};
