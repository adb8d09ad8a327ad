import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { runProgram, type ProgramResult, type RunProgramOptions } from '../run-program.ts';
import type { EngineVariant, TestUser } from './variant.ts';

/** What a command needs of this machine, and nothing that a person set for programs of theirs. */
const KEPT = /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|DOOMPI_SANDBOX_BASE_IMAGE|https?_proxy|no_proxy)$/i;

/** Directories that every user can read; a PATH of ours may begin below a home. */
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const ROOTFUL_SOCKET = '/var/run/docker.sock';

/** A program with all that a spawn needs so that it runs on a variant, as the user whose engine it is. */
export interface VariantProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

export interface VariantProgramOptions {
  /** Added to the variant's environment, and stronger. */
  readonly env?: Readonly<Record<string, string>>;
  /** Run as this user of a rootful docker, who gets the group of its socket. Default: the variant's own user. */
  readonly user?: TestUser;
  /** Default: this process's. Only PATH, proxies and certificates are taken from it. */
  readonly hostEnv?: Readonly<Record<string, string | undefined>>;
}

const environmentOf = (
  variant: EngineVariant,
  user: TestUser | undefined,
  { env = {}, hostEnv = process.env }: VariantProgramOptions,
): Record<string, string> => {
  const kept = Object.entries(hostEnv).filter(([name, value]) => value !== undefined && KEPT.test(name)) as [string, string][];
  const own =
    user === undefined
      ? { HOME: userInfo().homedir, PATH: hostEnv['PATH'] ?? SYSTEM_PATH }
      : { HOME: user.home, USER: user.name, LOGNAME: user.name, PATH: SYSTEM_PATH };
  return { ...Object.fromEntries(kept), ...own, ...variant.environment, ...env };
};

const socketGroup = async ({ environment }: EngineVariant): Promise<number> => {
  const host = environment['DOCKER_HOST'] ?? `unix://${ROOTFUL_SOCKET}`;
  return (await stat(host.replace(/^unix:\/\//, ''))).gid;
};

/**
 * The argument list that runs a program on a variant: through `setpriv` where the engine belongs to another user.
 * For `spawn` and `spawnInTerminal`; `runOnVariant` runs it to its end.
 */
export const variantProgram = async (
  variant: EngineVariant,
  file: string,
  args: readonly string[],
  options: VariantProgramOptions = {},
): Promise<VariantProgram> => {
  const user = options.user ?? variant.user;
  const env = environmentOf(variant, user, options);
  if (user === undefined) return { file, args, env };
  const groups = variant.user === undefined ? `${user.gid},${await socketGroup(variant)}` : `${user.gid}`;
  const identity = ['--reuid', `${user.uid}`, '--regid', `${user.gid}`, '--groups', groups];
  return { file: 'setpriv', args: [...identity, '--', file, ...args], env };
};

/** Runs a program on a variant to its end. The working directory is `/` unless one is given that its user can enter. */
export const runOnVariant = async (
  variant: EngineVariant,
  file: string,
  args: readonly string[],
  options: VariantProgramOptions & Omit<RunProgramOptions, 'env'> = {},
): Promise<ProgramResult> => {
  const { env, user, hostEnv, ...rest } = options;
  const program = await variantProgram(variant, file, args, {
    ...(env === undefined ? {} : { env }),
    ...(user === undefined ? {} : { user }),
    ...(hostEnv === undefined ? {} : { hostEnv }),
  });
  return runProgram(program.file, program.args, { cwd: '/', ...rest, env: program.env });
};
