import { readFile, readlink } from 'node:fs/promises';
import { LABELS } from '@doompi-sandbox/contract';

/** Who launched a session: enough to tell later, and from another process, whether that launcher still lives. */
export interface Owner {
  readonly uid: number;
  /** Kernel boot id: a process id means nothing after a reboot. */
  readonly bootId: string;
  /** Pid namespace, as `pid:[4026531836]`: a process id means nothing in another one. */
  readonly pidNamespace: string;
  readonly pid: number;
  /** Clock ticks since boot at which the process started: process ids are used again. */
  readonly startTime: string;
}

/** Field 22 of `/proc/<pid>/stat` (proc(5)); the command name in field 2 may hold blanks and parentheses. */
const startTime = (stat: string): string => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';

/** The owner record of a running process of this user. Linux only. */
export const readOwner = async (pid: number, uid: number): Promise<Owner> => {
  const [stat, bootId, pidNamespace] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    readlink(`/proc/${pid}/ns/pid`),
  ]);
  return { uid, bootId: bootId.trim(), pidNamespace, pid, startTime: startTime(stat) };
};

/** The owner as labels for a container; every container of a session carries them. */
export const ownerLabels = (owner: Owner): Readonly<Record<string, string>> => ({
  [LABELS.uid]: String(owner.uid),
  [LABELS.bootId]: owner.bootId,
  [LABELS.pidNamespace]: owner.pidNamespace,
  [LABELS.launcherPid]: String(owner.pid),
  [LABELS.launcherStart]: owner.startTime,
});
