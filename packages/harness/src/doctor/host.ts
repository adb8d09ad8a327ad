import { readFile } from 'node:fs/promises';
import { insideSandbox, SANDBOX_MARKER } from '@doompi-sandbox/contract';
import { LaunchError } from '../error.ts';
import type { System } from '../launch/facts/host.ts';
import type { Environment } from '../launch/settings/settings.ts';
import { HARNESS_VERSION } from '../version.ts';
import { errorFinding, type Finding } from './finding.ts';

export interface HostFacts {
  readonly platform: string;
  readonly arch: string;
  readonly kernel: string;
  readonly node: string;
  /** Version of this package. */
  readonly version: string;
  readonly uid: number;
  readonly gid: number;
  readonly user: string | null;
  /** How many ids of `/etc/subuid` and `/etc/subgid` are this user's; null where there is no such file. */
  readonly subordinateUids: number | null;
  readonly subordinateGids: number | null;
  readonly insideSandbox: boolean;
}

/** Ids in the lines `user:first:count` of a user, named or by number (subuid(5)). */
export const subordinateIds = (text: string, userName: string | undefined, uid: number): number => {
  const names = new Set([userName, String(uid)]);
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([name, first, count]) => names.has(name) && /^\d+$/.test(first ?? '') && /^\d+$/.test(count ?? ''))
    .reduce((sum, [, , count]) => sum + Number(count), 0);
};

const idsIn = async (file: string, { userName, uid }: System): Promise<number | null> =>
  readFile(file, 'utf8').then(
    (text) => subordinateIds(text, userName, uid),
    () => null,
  );

export const hostFacts = async (system: System, environment: Environment): Promise<HostFacts> => {
  const [subordinateUids, subordinateGids] = await Promise.all([idsIn('/etc/subuid', system), idsIn('/etc/subgid', system)]);
  return {
    platform: system.platform,
    arch: system.arch,
    kernel: system.kernel,
    node: system.nodeVersion,
    version: HARNESS_VERSION,
    uid: system.uid,
    gid: system.gid,
    user: system.userName ?? null,
    subordinateUids,
    subordinateGids,
    insideSandbox: insideSandbox(environment),
  };
};

export const judgeHost = ({ platform, insideSandbox: inside }: HostFacts): readonly Finding[] => {
  const findings: Finding[] = [];
  const refuse = (error: LaunchError): void => void findings.push(errorFinding('error', 'host', error));
  if (inside)
    refuse(new LaunchError('LAUNCH_NESTED', 'this is a sandbox already; sandboxes do not nest', { marker: SANDBOX_MARKER }));
  if (platform !== 'linux')
    refuse(new LaunchError('LAUNCH_PLATFORM_UNSUPPORTED', `this version runs no sessions on ${platform}`, { platform }));
  return findings;
};
