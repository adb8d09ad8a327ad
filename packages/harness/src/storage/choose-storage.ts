import { LABELS } from '@doompi-sandbox/contract';
import { inspectVolumes, type Engine, type VolumeInfo } from '@doompi-sandbox/engine';
import type { Notice } from '../notice.ts';
import type { Acceptance } from './acceptance.ts';
import { storageName, type StorageKey } from './volume-names.ts';
import { sessionVolumes, type SessionVolume, type VolumesInput } from './volumes.ts';

export interface StorageRequest extends Omit<VolumesInput, 'storage' | 'repository' | 'uid'> {
  readonly key: Omit<StorageKey, 'identity'>;
  readonly acceptance: Acceptance;
  /** Asks the person; without it the answer is no. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
}

export interface SessionStorage {
  readonly volumes: readonly SessionVolume[];
  /** Those of them that the engine does not hold yet. */
  readonly missing: readonly SessionVolume[];
  readonly notices: readonly Notice[];
}

const question = (repository: string, { name, createdAt }: VolumeInfo): string =>
  `The agent's home for ${repository} (volume ${name}, made ${createdAt.slice(0, 10)}) belongs to another repository that was at this ` +
  'path: its logins and packages are in it. Use it for this one?';

/**
 * Chooses the volumes of a session. A repository that is new at an old path does not inherit the other one's logins and packages: the
 * person is asked, and without a yes it gets a home of its own. A yes is remembered.
 */
export const chooseStorage = async (engine: Engine, request: StorageRequest): Promise<SessionStorage> => {
  const { key, identity, acceptance } = request;
  const named = (storage: string): readonly SessionVolume[] =>
    sessionVolumes({ ...request, storage, repository: key.repository, uid: key.uid });
  const own = storageName({ ...key, identity });
  const [common, separate] = [named(storageName(key)), named(own)];
  const found = await inspectVolumes(
    engine,
    [...common, ...separate].map(({ name }) => name),
  );
  const there = new Map(found.map((volume) => [volume.name, volume]));
  const chosen = (volumes: readonly SessionVolume[], notices: readonly Notice[] = []): SessionStorage => ({
    volumes,
    missing: volumes.filter(({ name }) => !there.has(name)),
    notices,
  });
  const isForeign = ({ name }: SessionVolume): boolean => {
    const volume = there.get(name);
    return volume !== undefined && volume.labels[LABELS.identity] !== identity;
  };
  if (!common.some(isForeign) || (await acceptance.has(own))) return chosen(common);
  // The first volume is the home.
  const home = there.get(common[0]?.name ?? '');
  // Packages are code: those that outlived their home do not come to the next one either.
  if (home === undefined || home.labels[LABELS.identity] === identity)
    return chosen(common.map((volume, index) => (isForeign(volume) ? (separate[index] ?? volume) : volume)));
  if (there.has(separate[0]?.name ?? '')) return chosen(separate);
  if ((await request.confirm?.(question(key.repository, home))) === true) {
    await acceptance.add(own);
    return chosen(common);
  }
  return chosen(separate, [{ code: 'home-of-another-repository', path: key.repository, volume: home.name }]);
};
