import { LABELS } from '@doompi-sandbox/contract';
import {
  copyImage,
  engineVariant,
  installForUsers,
  runOnVariant,
  scratchRepository,
  type EngineVariant,
  type ProgramResult,
  type ScratchRepository,
  type ScratchRepositoryOptions,
  type TestUser,
} from '@doompi-sandbox/testkit';

export interface OnVariantOptions {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** Run as this user of a rootful docker. Default: the variant's own user. */
  readonly user?: TestUser;
  /** Milliseconds, default 120000. */
  readonly timeoutMs?: number;
}

/** Runs the built command on a variant to its end, as the user whose engine it is. The image must be there or can be built there. */
export const sandboxOn = async (
  variant: EngineVariant,
  args: readonly string[],
  { cwd, environment = {}, input = '', user, timeoutMs = 120_000 }: OnVariantOptions,
): Promise<ProgramResult> => {
  const { node, bin } = await installForUsers();
  return runOnVariant(variant, node, [bin, '--engine', variant.engine, ...args], {
    cwd,
    input,
    timeoutMs,
    env: { PI_OFFLINE: '1', ...environment },
    ...(user === undefined ? {} : { user }),
  });
};

const output = async (variant: EngineVariant, ...args: readonly string[]): Promise<readonly string[]> => {
  const { exitCode, stdout, stderr } = await runOnVariant(variant, variant.engine, args);
  if (exitCode !== 0) throw new Error(`${variant.id}: ${args.join(' ')}: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
};

/** Removes what the sessions of a repository leave on purpose (the home volume) and what a failed test left. */
const cleanUp = async (variant: EngineVariant, repository: string): Promise<void> => {
  const label = `label=${LABELS.repository}=${repository}`;
  const containers = await output(variant, 'ps', '--all', '--quiet', '--filter', label);
  if (containers.length > 0) await output(variant, 'rm', '--force', ...containers);
  const volumes = await output(variant, 'volume', 'ls', '--quiet', '--filter', label);
  if (volumes.length > 0) await output(variant, 'volume', 'rm', '--force', ...volumes);
};

/** A repository of the variant's user, or of `owner`, with everything that its sessions on the variant leave removed at the end. */
export const repositoryOn = async (
  variant: EngineVariant,
  options: ScratchRepositoryOptions = {},
): Promise<ScratchRepository> => {
  const owner = options.owner ?? variant.user;
  const repository = await scratchRepository({ ...options, ...(owner === undefined ? {} : { owner }) });
  const dispose = async (): Promise<void> => {
    await cleanUp(variant, repository.path);
    await repository.dispose();
  };
  return { ...repository, dispose, [Symbol.asyncDispose]: dispose };
};

/**
 * Has the docker of this machine build the image that these options ask for, and copies it to the variant: some of the variants cannot build,
 * and none has to build the same image again.
 * @param options of the command, without what follows `--`
 * @param agent arguments with which the agent ends at once
 * @returns its reference
 */
export const provideImage = async (
  variant: EngineVariant,
  options: readonly string[],
  agent: readonly string[],
): Promise<string> => {
  const docker = await engineVariant('docker');
  if (typeof docker === 'string') throw new Error(docker);
  await using repository = await repositoryOn(docker);
  const args = [...options.filter((option) => option !== '--quiet'), '--', ...agent];
  const { stderr } = await sandboxOn(docker, args, { cwd: repository.path, timeoutMs: 600_000 });
  const reference = / (doompi-sandbox:\S+)$/m.exec(stderr)?.[1];
  if (reference === undefined) throw new Error(`the command names no image:\n${stderr}`);
  if (variant.id !== 'docker') await copyImage(reference, variant);
  return reference;
};
