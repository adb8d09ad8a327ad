import { release, tmpdir, userInfo } from 'node:os';
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

/** The process and its machine. */
export interface System {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Release of the kernel. */
  readonly kernel: string;
  /** Such as `24.1.0`. */
  readonly nodeVersion: string;
  readonly uid: number;
  readonly gid: number;
  /** Undefined for a user without an entry in the password database. */
  readonly userName: string | undefined;
}

/** The streams of the process, as the operating system has them. */
export interface TerminalStreams {
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  /** Size of the terminal that stdout is, in characters. */
  readonly size: { readonly columns: number; readonly rows: number } | undefined;
}

/** The process and its machine, and what its streams are, for a diagnosis. */
export const currentSystem = (): System & TerminalStreams => {
  const host = currentHost();
  const { columns, rows } = process.stdout;
  return {
    ...host,
    kernel: release(),
    nodeVersion: process.versions.node,
    size: host.stdoutIsTerminal && columns > 0 && rows > 0 ? { columns, rows } : undefined,
  };
};
