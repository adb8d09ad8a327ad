import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { CLONE } from '../clone.ts';

/** `docker` and `podman` are rootful; `docker-userns` remaps (`userns-remap`); `docker-gvisor` has the runtimes `runsc` and `runsc-uds`. */
export type EngineVariantId = 'docker' | 'podman' | 'podman-rootless' | 'docker-rootless' | 'docker-userns' | 'docker-gvisor';

/** A normal user of this machine with subordinate ids, made for tests. */
export interface TestUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

/** A real engine that set-up prepared. */
export interface EngineVariant {
  readonly id: EngineVariantId;
  readonly engine: 'docker' | 'podman';
  /** Whose engine it is; undefined: this process's own user. */
  readonly user: TestUser | undefined;
  /** What the engine's command needs beyond PATH, `DOCKER_HOST` for one. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names for `--runtime` beside the default one. */
  readonly runtimes: readonly string[];
}

export interface EngineVariantOptions {
  /** Default: this process's. `CI` set and not empty turns a reason into an error, unless set-up excused it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What set-up wrote. Default: the file that `DOOMPI_TEST_ENGINES` names, else `.state/engines.json` of this clone. */
  readonly file?: string;
}

interface Recorded extends Partial<EngineVariant> {
  readonly id: EngineVariantId;
  readonly engine: 'docker' | 'podman';
  readonly unavailable?: string;
  readonly excused?: boolean;
}

const RECORD = join(CLONE, '.state/engines.json');

const SET_UP = 'run the set-up: npm test does';

const recorded = async (file: string): Promise<readonly Recorded[] | undefined> => {
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as { variants: readonly Recorded[] }).variants;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** Whether somebody listens: a daemon of an earlier boot leaves its socket behind. */
const listens = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });

const judge = async (id: EngineVariantId, file: string): Promise<EngineVariant | { reason: string; excused: boolean }> => {
  const found = (await recorded(file))?.find((variant) => variant.id === id);
  if (found === undefined) return { reason: `set-up did not prepare the engine variant ${id}; ${SET_UP}`, excused: false };
  const { engine, user, environment = {}, runtimes = [], unavailable, excused = false } = found;
  if (unavailable !== undefined) return { reason: `${unavailable} (engine variant ${id})`, excused };
  const host = environment['DOCKER_HOST'] ?? '';
  if (host.startsWith('unix://') && !(await listens(host.slice('unix://'.length))))
    return { reason: `nobody listens on ${host} (engine variant ${id}); ${SET_UP}`, excused: false };
  return { id, engine, user, environment, runtimes };
};

/**
 * A real engine that set-up prepared, or the reason why it is not there, for vitest's `skip`:
 * `const podman = await engineVariant('podman'); if (typeof podman === 'string') skip(podman);`
 * @throws Error where `CI` is set and the reason is not one that set-up excuses there.
 */
export const engineVariant = async (id: EngineVariantId, options: EngineVariantOptions = {}): Promise<EngineVariant | string> => {
  const { env = process.env } = options;
  const file = options.file ?? env['DOOMPI_TEST_ENGINES'] ?? RECORD;
  const judged = await judge(id, file);
  if (!('reason' in judged)) return judged;
  if ((env['CI'] ?? '') !== '' && !judged.excused)
    throw new Error(`Every engine must be tested where CI is set, but ${judged.reason}`);
  return judged.reason;
};
