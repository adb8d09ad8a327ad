import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LABELS } from '@doompi-sandbox/contract';
import {
  copyImage,
  engineVariant,
  installForUsers,
  packStandInAgent,
  runOnVariant,
  runProgram,
  scratchRepository,
  type EngineVariant,
  type EngineVariantId,
  type ProgramResult,
  type ScratchRepository,
  type ScratchRepositoryOptions,
  type StandInAgent,
  type TestUser,
} from '@doompi-sandbox/testkit';
import { afterAll, beforeAll } from 'vitest';
import { sessionEnvironment } from './sandbox.ts';

/** Sessions of the built command on one real engine, as an ordinary user where the engine lets one in. */
export interface VariantSessions {
  /** Why there are none, for vitest's `skip`. */
  readonly reason: string | undefined;
  readonly variant: EngineVariant;
  /** Who runs the command. Undefined: this process's user. */
  readonly user: TestUser | undefined;
  /** Why no ordinary user of this machine can run it, for vitest's `skip`. */
  readonly noUser: string | undefined;
  /** A repository of that user; what its sessions leave goes with it. */
  readonly repository: (options?: ScratchRepositoryOptions) => Promise<ScratchRepository>;
  /** Runs a command line in place of an agent. */
  readonly run: (repository: string, command: readonly string[], options?: VariantRunOptions) => Promise<ProgramResult>;
  /** Output of the engine's own command; a failure throws. */
  readonly engine: (...args: readonly string[]) => Promise<string>;
}

export interface VariantRunOptions {
  /** Options of `doompi-sandbox`. */
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the variant's. */
  readonly as?: TestUser;
}

/** Why podman cannot reach a launcher by tcp on this machine, for vitest's `skip`: slirp4netns needs a tun device, rootful too. */
export const noPodmanTcp = (engine: string, transport: string): string | undefined =>
  engine === 'podman' && transport === 'tcp' && !existsSync('/dev/net/tun') ? 'this kernel has no tun device' : undefined;

/** Engines whose server lets everybody in whose group may open its socket. Rootful podman has no server. */
const isShared = ({ engine, user }: EngineVariant): boolean => engine === 'docker' && user === undefined;

const buildOnDocker = async (tarball: string): Promise<string> => {
  const { node, bin } = await installForUsers();
  const args = [bin, 'build', '--quiet', '--engine', 'docker', '--agent', 'doompi', '--agent-package', tarball];
  const built = await runProgram(node, args, { env: sessionEnvironment(), timeoutMs: 300_000 });
  if (built.exitCode !== 0) throw new Error(`the stand-in's image cannot be built: ${built.stderr}`);
  return built.stdout.trim();
};

/** Prepares a variant for a file's tests: the command where its user can run it, and the image of the stand-in agent. */
export const useVariant = (id: EngineVariantId): (() => VariantSessions) => {
  let agent: StandInAgent | undefined;
  let sessions: VariantSessions | undefined;
  const prepare = async (): Promise<VariantSessions> => {
    const found = await engineVariant(id);
    if (typeof found === 'string') return { reason: found } as VariantSessions;
    const variant = found;
    const ordinary = await engineVariant('podman-rootless');
    const user = variant.user ?? (isShared(variant) && typeof ordinary !== 'string' ? ordinary.user : undefined);
    agent = await packStandInAgent();
    await chmod(dirname(agent.tarball), 0o755);
    await copyImage(await buildOnDocker(agent.tarball), variant);
    const { node, bin } = await installForUsers();
    const { tarball } = agent;
    const engine = async (...args: readonly string[]): Promise<string> => {
      const { exitCode, stdout, stderr } = await runOnVariant(variant, variant.engine, args);
      if (exitCode !== 0) throw new Error(`${variant.engine} ${args.join(' ')}: ${stderr}`);
      return stdout;
    };
    const removeVolumes = async (repository: string): Promise<void> => {
      const names = await engine('volume', 'ls', '--quiet', '--filter', `label=${LABELS.repository}=${repository}`);
      for (const name of names.split('\n').filter((line) => line !== '')) await engine('volume', 'rm', name);
    };
    return {
      reason: undefined,
      variant,
      user,
      noUser: user === undefined && typeof ordinary === 'string' ? ordinary : undefined,
      engine,
      repository: async (options = {}) => {
        const repository = await scratchRepository({ ...options, ...(user === undefined ? {} : { owner: user }) });
        const dispose = async (): Promise<void> => {
          await removeVolumes(repository.path);
          await repository.dispose();
        };
        return { ...repository, dispose, [Symbol.asyncDispose]: dispose };
      },
      run: async (repository, command, { options = [], env = {}, as } = {}) => {
        const agentOptions = ['--engine', variant.engine, '--agent', 'doompi', '--agent-package', tarball];
        const runner = as ?? user;
        return runOnVariant(variant, node, [bin, ...agentOptions, ...options, '--', ...command], {
          cwd: repository,
          env: { PI_OFFLINE: '1', ...env },
          timeoutMs: 60_000,
          ...(runner === undefined ? {} : { user: runner }),
        });
      },
    };
  };
  beforeAll(async () => {
    sessions = await prepare();
    if (sessions.reason !== undefined) console.warn(`skipped: ${sessions.reason}`);
  });
  afterAll(async () => agent?.[Symbol.asyncDispose]());
  return () => {
    if (sessions === undefined) throw new Error('useVariant: the file has not begun');
    return sessions;
  };
};
