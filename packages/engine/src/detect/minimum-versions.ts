import type { EngineName } from '../names.ts';
import { isAtLeast } from './version.ts';

/**
 * The oldest version of each command that is driven.
 * - docker 20.10: the first whose `run` knows `--pull never` and `--add-host NAME:host-gateway`. Run with 20.10.24 and 28.2.2.
 * - podman 4.3: the oldest that was run (4.3.1, Debian 12).
 * - nerdctl 2.0: docs/command-reference.md of that line lists every option that is used; older lines were not looked at.
 * - finch 1.0: its docs/cmd list every option that is used.
 */
export const MINIMUM_VERSIONS: Readonly<Record<EngineName, string>> = {
  docker: '20.10',
  podman: '4.3',
  nerdctl: '2.0',
  finch: '1.0',
};

/** Why this version cannot be driven; undefined when it can. */
export const tooOld = (engine: EngineName, what: 'command' | 'server', version: string): string | undefined => {
  const minimum = MINIMUM_VERSIONS[engine];
  const [major = '0', minor = '0'] = minimum.split('.');
  if (isAtLeast(version, [Number(major), Number(minor)])) return undefined;
  return `its ${what} is version ${version}; ${minimum} or newer is needed`;
};
