import { constants } from 'node:os';

/** Exit statuses that the bridge itself chooses. The agent's own status is passed on unchanged. */
export const BRIDGE_EXIT = {
  /** No agent command was given (`EX_USAGE` of sysexits.h). */
  usage: 64,
  /** No transport led to the launcher before the agent's start (`EX_NOHOST`). */
  unreachable: 68,
  /** The broker could not be reached before the agent's start, or there is no session file (`EX_UNAVAILABLE`). */
  unavailable: 69,
  /** The workspace is not writable for the agent's user (`EX_CANTCREAT`). */
  cannotCreate: 73,
  /** The session file cannot be used (`EX_CONFIG`). */
  config: 78,
  /** The agent's command exists and cannot be executed (POSIX shell). */
  notExecutable: 126,
  /** The agent's command does not exist (POSIX shell). */
  notFound: 127,
  /** The lifeline was lost and the agent was ended: 128 + SIGTERM. */
  lifelineLost: 143,
} as const;

/** Status of a process that died by a signal: 128 + signal number (POSIX shell). */
export const signalStatus = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];
