import { isOk, type Outcome } from './scenario.ts';

const yes = (value: boolean | undefined): string => (value === undefined ? 'cannot be observed' : value ? 'yes' : 'NO');

/** The outcome for a person. */
export const formatOutcome = (outcome: Outcome): string => {
  const lines = [
    `engine                           ${outcome.engine}${outcome.rootless === true ? ' (rootless)' : ''}`,
    `transport                        ${outcome.transports.length === 0 ? 'none seen' : outcome.transports.join(', else ')}`,
    `answer                           ${outcome.answer || `none (exit code ${outcome.exitCode})`}`,
    `real key seen by the upstream    ${yes(outcome.keySeenByUpstream)}`,
    `search finds a planted text      ${yes(outcome.searchWorks)}`,
    `real key found in the container  ${outcome.findings.length === 0 ? 'no: not in environment, processes, files or inspect' : 'YES'}`,
    ...outcome.findings.map(({ where, detail }) => `                                 ${where}: ${detail}`),
    `left behind                      ${outcome.leftovers.length === 0 ? 'nothing' : outcome.leftovers.join(', ')}`,
    `time to first token              ${outcome.ttftMs === undefined ? 'none' : `${outcome.ttftMs} ms from the start of the command`}`,
  ];
  if (outcome.exitCode !== 0) lines.push('', 'The session said:', outcome.log.trimEnd());
  return lines.join('\n');
};

/** The outcome for a program: one line. */
export const outcomeJson = (outcome: Outcome): string =>
  JSON.stringify({
    ok: isOk(outcome),
    engine: outcome.engine,
    rootless: outcome.rootless ?? null,
    // Which of several was taken shows inside the container alone.
    transport: outcome.transports.length === 1 ? outcome.transports[0] : null,
    transports: outcome.transports,
    image: outcome.image ?? null,
    answer: outcome.answer,
    keySeenByUpstream: outcome.keySeenByUpstream ?? null,
    keyInContainer: outcome.findings.length > 0,
    findings: outcome.findings,
    searchWorks: outcome.searchWorks,
    leftovers: outcome.leftovers,
    ttftMs: outcome.ttftMs ?? null,
  });

/** The same shape where there is no outcome. */
export const failureJson = (): string =>
  JSON.stringify({
    ok: false,
    engine: null,
    rootless: null,
    transport: null,
    transports: [],
    image: null,
    answer: '',
    keySeenByUpstream: null,
    keyInContainer: null,
    findings: [],
    searchWorks: null,
    leftovers: null,
    ttftMs: null,
  });
