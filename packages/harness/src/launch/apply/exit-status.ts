import { constants } from 'node:os';
import type { ExitStatus } from '@doompi-sandbox/engine';

/** A shell's convention (POSIX 2.8.2): the exit code itself, or 128 + N after death by signal N. */
export const exitCodeOf = (status: ExitStatus): number =>
  'exitCode' in status ? status.exitCode : 128 + constants.signals[status.signal];
