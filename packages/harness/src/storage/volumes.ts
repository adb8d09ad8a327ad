import { join, posix } from 'node:path';
import { LABELS } from '@doompi-sandbox/contract';
import { HOME_DIRECTORY, PACKAGE_STORES, VOLUME_SEED, type Agent } from '@doompi-sandbox/image';

/** A volume of a session. */
export interface SessionVolume {
  readonly name: string;
  /** Absolute path in the container. */
  readonly target: string;
  /** Path below the repository when the mount lies there. */
  readonly repositoryPath?: string;
  /** Directory of the image from which a new volume takes its content and its mode. */
  readonly seed: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface VolumesInput {
  /** First part of every name. */
  readonly storage: string;
  readonly agent: Pick<Agent, 'id' | 'shadowPaths' | 'packagePaths'>;
  readonly repository: string;
  /** See `repositoryIdentity`. */
  readonly identity: string;
  readonly uid: number;
  /** What native modules are built for: `node24` or, where that is not known, the image. */
  readonly modules: string;
}

const slug = (path: string): string => path.replace(/^\./, '').replaceAll(/[^\w-]+/g, '-');

/**
 * The volumes of a repository's sessions. Home and shadowed configuration are the person's data and stay for good. Package stores hold
 * native modules, so each Node release line has its own: an image with another Node never sees modules that it cannot load.
 */
export const sessionVolumes = (input: VolumesInput): readonly SessionVolume[] => {
  const { storage, agent, repository, identity, uid, modules } = input;
  const labels = {
    [LABELS.repository]: repository,
    [LABELS.identity]: identity,
    [LABELS.agent]: agent.id,
    [LABELS.uid]: String(uid),
  };
  const inRepository = (path: string, name: string): SessionVolume => ({
    name: `${storage}-${name}`,
    target: join(repository, path),
    repositoryPath: path,
    seed: VOLUME_SEED,
    labels,
  });
  const homePackages = PACKAGE_STORES.map((target): SessionVolume => {
    const name = `${storage}-${modules}-home-${posix.basename(target)}`;
    return { name, target, seed: VOLUME_SEED, labels };
  });
  return [
    { name: `${storage}-home`, target: HOME_DIRECTORY, seed: HOME_DIRECTORY, labels },
    ...homePackages,
    ...agent.shadowPaths.map((path) => inRepository(path, slug(path))),
    ...agent.packagePaths.map((path) => inRepository(path, `${modules}-${slug(path)}`)),
  ];
};

/** What native modules of an image are built for, from its environment (`NODE_VERSION` of the official Node images) or else its id. */
export const modulesOf = (image: { readonly id: string; readonly environment: readonly string[] }): string => {
  const version = image.environment.find((entry) => /^NODE_VERSION=v?\d+\./.test(entry));
  const major = version === undefined ? undefined : /\d+/.exec(version.slice('NODE_VERSION='.length))?.[0];
  return major === undefined ? image.id.replace(/^sha256:/, '').slice(0, 12) : `node${major}`;
};
