import { randomUUID } from 'node:crypto';
import { detectEngine, inspectVolumes, provisionVolume, removeVolume, type Engine } from '@doompi-sandbox/engine';
import { AGENTS } from '@doompi-sandbox/image';
import { dockerGate, temporaryDirectory } from '@doompi-sandbox/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openAcceptance } from '../../src/storage/acceptance.ts';
import { chooseStorage, type SessionStorage, type StorageRequest } from '../../src/storage/choose-storage.ts';
import { storageName } from '../../src/storage/volume-names.ts';

const reason = await dockerGate();

describe.skipIf(reason !== undefined)('the storage of a repository, on a real engine', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await detectEngine({ environment: process.env, override: 'docker' });
  });
  const made = new Set<string>();
  afterAll(async () => {
    for (const name of made) await removeVolume(engine, name);
  });

  const setting = async (): Promise<Omit<StorageRequest, 'confirm'>> => {
    const state = await temporaryDirectory();
    onTestFinished(() => state[Symbol.asyncDispose]());
    return {
      key: { repository: `/srv/${randomUUID()}`, uid: 1000, agent: 'pi', platform: 'linux/amd64' },
      identity: '1-1',
      agent: AGENTS.pi,
      modules: 'node24',
      acceptance: openAcceptance(state.path),
    };
  };

  /** As a launch does, but without an image to fill them from. */
  const provision = async ({ missing }: SessionStorage): Promise<void> => {
    for (const { name, labels } of missing) {
      made.add(name);
      const seed = { image: process.env['DOOMPI_SANDBOX_BASE_IMAGE'] ?? 'node:24-bookworm-slim', directory: '/tmp' };
      await provisionVolume(engine, { name, labels, seed, containerLabels: { 'doompi.sandbox.test': 'storage' } });
    }
  };

  const homeOf = ({ volumes }: SessionStorage): string | undefined => volumes[0]?.name;

  it('is missing at first and there afterwards, with its labels', async () => {
    const request = await setting();
    const first = await chooseStorage(engine, request);
    expect(first.missing).toEqual(first.volumes);
    await provision(first);
    const second = await chooseStorage(engine, request);
    expect(second).toEqual({ volumes: first.volumes, missing: [], notices: [] });
    const found = await inspectVolumes(
      engine,
      first.volumes.map(({ name }) => name),
    );
    expect(found.map(({ labels }) => labels)).toEqual(first.volumes.map(({ labels }) => expect.objectContaining(labels)));
  });

  it('S06: a repository that is new at an old path gets a home of its own when nobody can be asked', async () => {
    const request = await setting();
    const old = await chooseStorage(engine, request);
    await provision(old);
    const next = await chooseStorage(engine, { ...request, identity: '2-2' });
    expect(next.volumes.filter(({ name }) => old.volumes.some((volume) => volume.name === name))).toEqual([]);
    expect(next.notices).toEqual([
      { code: 'home-of-another-repository', path: request.key.repository, volume: homeOf(old) ?? '' },
    ]);
    await provision(next);
    const again = await chooseStorage(engine, { ...request, identity: '2-2', confirm: () => Promise.reject(new Error('asked')) });
    expect(again).toEqual({ volumes: next.volumes, missing: [], notices: [] });
  });

  it('S06: the person is asked, a no keeps the old home away, and a yes is remembered', async () => {
    const request = { ...(await setting()), identity: '1-1' };
    const old = await chooseStorage(engine, request);
    await provision(old);
    const questions: string[] = [];
    const answering = (answer: boolean) => (question: string) => {
      questions.push(question);
      return Promise.resolve(answer);
    };
    const refused = await chooseStorage(engine, { ...request, identity: '2-2', confirm: answering(false) });
    expect(homeOf(refused)).toBe(`${storageName({ ...request.key, identity: '2-2' })}-home`);
    const accepted = await chooseStorage(engine, { ...request, identity: '2-2', confirm: answering(true) });
    expect(homeOf(accepted)).toBe(homeOf(old));
    const later = await chooseStorage(engine, { ...request, identity: '2-2', confirm: answering(false) });
    expect(homeOf(later)).toBe(homeOf(old));
    expect(questions).toHaveLength(2);
    expect(questions[0]).toContain(request.key.repository);
  });

  it("S06: packages that outlived another repository's home do not come to the next one", async () => {
    const request = await setting();
    const old = await chooseStorage(engine, request);
    await provision(old);
    await removeVolume(engine, homeOf(old) ?? '');
    const next = await chooseStorage(engine, { ...request, identity: '2-2' });
    expect(homeOf(next)).toBe(homeOf(old));
    expect(next.volumes.slice(1).filter(({ name }) => old.volumes.some((volume) => volume.name === name))).toEqual([]);
    await provision(next);
    const again = await chooseStorage(engine, { ...request, identity: '2-2' });
    expect(again).toEqual({ volumes: next.volumes, missing: [], notices: [] });
  });

  it('S06: a home without an identity is not taken for the own one', async () => {
    const request = await setting();
    const first = await chooseStorage(engine, request);
    const name = homeOf(first) ?? '';
    made.add(name);
    await provision({ ...first, missing: [{ ...(first.volumes[0] as (typeof first.volumes)[0]), labels: {} }] });
    expect(homeOf(await chooseStorage(engine, request))).not.toBe(name);
  });

  it('the agent, the user and the platform of another repository at the path do not matter to it', async () => {
    const request = await setting();
    await provision(await chooseStorage(engine, request));
    const other = await chooseStorage(engine, { ...request, key: { ...request.key, uid: 1001 }, identity: '2-2' });
    expect(other.notices).toEqual([]);
  });
});
