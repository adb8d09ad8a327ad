import { tmpdir, userInfo } from 'node:os';
import { isatty } from 'node:tty';

/** What a launch needs to know of the process it runs in. Read once, at the edge. */
export interface Host {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly pid: number;
  readonly uid: number;
  readonly gid: number;
  /** Undefined when the host knows no name for the user. */
  readonly userName: string | undefined;
  readonly temporaryDirectory: string;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
}

/** A user without an entry in passwd(5) makes `userInfo` throw. */
const userName = (): string | undefined => {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
};

/** The host as this process sees it. */
export const currentHost = (): Host => ({
  platform: process.platform,
  arch: process.arch,
  pid: process.pid,
  uid: process.getuid?.() ?? 0,
  gid: process.getgid?.() ?? 0,
  userName: userName(),
  temporaryDirectory: tmpdir(),
  stdinIsTerminal: isatty(0),
  stdoutIsTerminal: isatty(1),
});
