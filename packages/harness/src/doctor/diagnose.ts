import { describeEngine, surveyEngines } from '@doompi-sandbox/engine';
import { currentSystem, type System, type TerminalStreams } from '../launch/facts/host.ts';
import { readSettings, type Environment, type LauncherOptions, type Settings } from '../launch/settings/settings.ts';
import { transportCandidates, type TransportCandidate } from '../transport/reasons.ts';
import { LAUNCH_MESSAGES } from '../messages/launch.ts';
import { credentialFacts, judgeCredentials, type CredentialFacts } from './credentials.ts';
import { chooseEngine, engineCandidates, judgeEngines, judgeLocation, judgeRuntime, type EnginesFacts } from './engines.ts';
import { finding, type Finding } from './finding.ts';
import { hostFacts, judgeHost, type HostFacts } from './host.ts';
import { imageFacts, judgeImage, type ImageFacts } from './image.ts';
import { ask, factsOf, PART_DEADLINE, type Answer } from './question.ts';
import { judgeRepository, repositoryFacts, type RepositoryFacts } from './repository.ts';
import { sectionOf, type Section } from './section.ts';
import { judgeTerminal, terminalFacts, type TerminalFacts } from './terminal.ts';

export interface DiagnosisRequest {
  /** Absolute path of the directory that a launch would mount. */
  readonly repoRoot: string;
  /** Absolute path, inside `repoRoot`. */
  readonly cwd: string;
  readonly environment: Environment;
  /** Default: this process'. */
  readonly system?: System & TerminalStreams;
}

/** Whether a session could start, and everything that decides it, as JSON: keys stay, absent is null. Holds no secret. */
export interface Diagnosis {
  /** Version of this shape. Keys may be added to it. */
  readonly version: 1;
  /** Whether a session could start: no part has a finding of severity `error`. */
  readonly ready: boolean;
  readonly settings: Section<{ readonly agent: string; readonly engine: string | null }>;
  readonly engines: Section<EnginesFacts>;
  readonly image: Section<ImageFacts>;
  readonly transport: Section<{ readonly candidates: readonly TransportCandidate[] }>;
  readonly credentials: Section<CredentialFacts>;
  readonly terminal: Section<TerminalFacts>;
  readonly repository: Section<RepositoryFacts>;
  readonly host: Section<HostFacts>;
}

interface ParsedSettings {
  readonly settings: Settings;
  readonly problems: readonly Finding[];
}

/** The settings of a launch; with mistakes, those that are left without what is wrong, so that the rest can be looked at. */
const settingsOf = (options: LauncherOptions, environment: Environment): ParsedSettings => {
  const { settings, problems } = readSettings(options, environment);
  const { advice } = LAUNCH_MESSAGES.LAUNCH_SETTINGS_INVALID;
  return {
    settings,
    problems: problems.map((text) => ({ severity: 'error', code: 'LAUNCH_SETTINGS_INVALID', text, advice }) satisfies Finding),
  };
};

const detailFindings = (details: Answer<unknown> | undefined): readonly Finding[] => {
  if (details === undefined || 'facts' in details) return [];
  const { failure } = details;
  const reason = failure instanceof Error ? failure.message : String(failure);
  return [finding('warning', 'engine-details-unknown', `the engine's details could not be found out: ${reason}`)];
};

const NO_ENGINE: Section<never> = { facts: null, findings: [] };

/**
 * Looks at everything that decides a launch, independent questions side by side, each with a deadline. A part that fails is in its
 * section; the others are told all the same. Starts nothing, changes nothing.
 */
export const diagnose = async (request: DiagnosisRequest, options: LauncherOptions = {}): Promise<Diagnosis> => {
  const { repoRoot, cwd, environment, system = currentSystem() } = request;
  const { settings, problems } = settingsOf(options, environment);

  const engineQuestions = async () => {
    // The survey has its own deadline, the same for all candidates together.
    const choice = await ask(
      async () =>
        chooseEngine(
          await surveyEngines({ environment, repoRoot, endpoint: settings.endpoint }),
          settings.engine,
          settings.endpoint,
        ),
      2 * PART_DEADLINE,
    );
    const engine = factsOf(choice)?.engine;
    const [details, image] = await Promise.all([
      engine === undefined ? undefined : ask(() => describeEngine(engine, { timeoutMs: PART_DEADLINE })),
      ask(() => imageFacts({ settings, environment, cwd, engine, now: Date.now(), timeoutMs: PART_DEADLINE })),
    ]);
    return { choice, engine, details, image };
  };

  const [engines, host, repository, credentials] = await Promise.all([
    engineQuestions(),
    ask(() => hostFacts(system, environment)),
    ask(() => repositoryFacts({ repoRoot, cwd, environment })),
    ask(async () => credentialFacts(settings, environment)),
  ]);
  const { engine, details } = engines;
  const wanted = { setting: settings.transport, runtime: settings.runtime };
  const subordinateIds = factsOf(host)?.subordinateUids ?? null;
  const choice = sectionOf('engines', engines.choice, (found) => judgeEngines(found, { uid: system.uid, subordinateIds }));
  const sections = {
    settings: { facts: { agent: settings.agent, engine: settings.engine ?? null }, findings: problems },
    engines: {
      facts: choice.facts && {
        candidates: engineCandidates(choice.facts),
        details: (details === undefined ? undefined : factsOf(details)) ?? null,
      },
      findings: [
        ...choice.findings,
        ...detailFindings(details),
        ...judgeLocation(engine),
        ...judgeRuntime(engine, details === undefined ? undefined : factsOf(details), settings.runtime),
      ],
    },
    image: sectionOf('image', engines.image, judgeImage),
    transport:
      engine === undefined
        ? NO_ENGINE
        : sectionOf('transport', await ask(async () => ({ candidates: transportCandidates({ ...wanted, engine }) })), () => []),
    credentials: sectionOf('credentials', credentials, judgeCredentials),
    terminal: sectionOf('terminal', { facts: terminalFacts(system, environment) }, judgeTerminal),
    repository: sectionOf('repository', repository, judgeRepository),
    host: sectionOf('host', host, judgeHost),
  };
  const ready = Object.values(sections).every(({ findings }) => findings.every(({ severity }) => severity !== 'error'));
  return { version: 1, ready, ...sections };
};
