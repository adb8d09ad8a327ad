import type { TerminalStreams } from '../launch/facts/host.ts';
import type { Environment } from '../launch/settings/settings.ts';
import { finding, type Finding } from './finding.ts';

export interface TerminalFacts {
  readonly stdin: boolean;
  readonly stdout: boolean;
  /** `TERM`, which enters the container. */
  readonly term: string | null;
  readonly columns: number | null;
  readonly rows: number | null;
  /** Colours that programs will use, by the variables they read. */
  readonly colours: 'none' | '16' | '256' | 'truecolor';
}

const colours = (environment: Environment): TerminalFacts['colours'] => {
  const term = environment['TERM'] ?? '';
  if ((environment['NO_COLOR'] ?? '') !== '' || term === '' || term === 'dumb') return 'none';
  if (/^(?:truecolor|24bit)$/.test(environment['COLORTERM'] ?? '') || term.endsWith('-direct')) return 'truecolor';
  return term.includes('256') ? '256' : '16';
};

/** What a session would find as its terminal. Pure. */
export const terminalFacts = (streams: TerminalStreams, environment: Environment): TerminalFacts => ({
  stdin: streams.stdinIsTerminal,
  stdout: streams.stdoutIsTerminal,
  term: environment['TERM'] || null,
  columns: streams.size?.columns ?? null,
  rows: streams.size?.rows ?? null,
  colours: colours(environment),
});

export const judgeTerminal = ({ stdin, stdout, term }: TerminalFacts): readonly Finding[] => {
  const missing = [stdin ? [] : ['standard input'], stdout ? [] : ['standard output']].flat();
  // A pipe is how scripts use it, and `doctor` itself may be piped.
  if (missing.length > 0)
    return [finding('ok', 'terminal-missing', `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} no terminal`)];
  if (term === null || term === 'dumb')
    return [finding('warning', 'terminal-unknown', term === null ? 'TERM is not set' : 'TERM is dumb')];
  return [];
};
