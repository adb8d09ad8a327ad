import { tmpdir } from 'node:os';
import { isatty } from 'node:tty';

/** What a launch needs to know of the process it runs in. Read once, at the edge. */
export interface Host {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly pid: number;
  readonly uid: number;
  readonly gid: number;
  readonly temporaryDirectory: string;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
}

/** The host as this process sees it. */
export const currentHost = (): Host => ({
  platform: process.platform,
  arch: process.arch,
  pid: process.pid,
  uid: process.getuid?.() ?? 0,
  gid: process.getgid?.() ?? 0,
  temporaryDirectory: tmpdir(),
  stdinIsTerminal: isatty(0),
  stdoutIsTerminal: isatty(1),
});
