import { isOk, type Outcome } from './scenario.ts';

const yes = (value: boolean | undefined): string => (value === undefined ? 'cannot be observed' : value ? 'yes' : 'NO');

/** The outcome for a person. */
export const formatOutcome = (outcome: Outcome): string => {
  const lines = [
    `engine                           ${outcome.engine}`,
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
    answer: outcome.answer,
    keySeenByUpstream: outcome.keySeenByUpstream ?? null,
    keyInContainer: outcome.findings.length > 0,
    findings: outcome.findings,
    searchWorks: outcome.searchWorks,
    leftovers: outcome.leftovers,
    ttftMs: outcome.ttftMs ?? null,
  });
