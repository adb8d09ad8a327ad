import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupFailure } from '../failure.mjs';
import { ensureImage, ensureRuns } from './images.mjs';
import { gatherPodmanFacts, podmanConfiguration } from './podman-configuration.mjs';
import { asTestUser, ensureUserRuntime, userEnvironment } from './user.mjs';

/** @typedef {import('./record.mjs').Variant} Variant */

const isWritten = (/** @type {string} */ file, /** @type {string} */ text) => {
  try {
    return readFileSync(file, 'utf8') === text;
  } catch {
    return false;
  }
};

/**
 * The environment that makes rootful podman start containers here. Nothing is written to /etc, and a containers.conf that is there decides.
 * @param {string} root of the clone
 * @returns {Record<string, string>}
 */
export const rootfulEnvironment = (root) => {
  const facts = gatherPodmanFacts();
  const text = podmanConfiguration(facts, { rootless: false });
  if (facts.configured || text === '') return {};
  const file = join(root, '.state/containers.conf');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return { CONTAINERS_CONF: file };
};

/** @param {import('../setup.mjs').Context} context @param {string} reference @returns {Promise<Variant>} */
export const preparePodman = async (context, reference) => {
  const environment = rootfulEnvironment(context.root);
  const command = { argv: ['podman'], env: environment };
  await ensureImage(context, 'podman', command, reference);
  await ensureRuns(context, command, reference);
  return { id: 'podman', engine: 'podman', environment };
};

/**
 * Its own files in the test user's home. Overlay mounts are asked for: left to itself podman falls back to whole copies of every layer
 * where /dev/fuse is closed, though the kernel mounts overlays without it.
 * Written by that user: what sessions of that user left in the home must not decide where root writes.
 * @param {import('../setup.mjs').Context} context
 * @param {import('./user.mjs').TestUser} user
 */
const configure = async ({ env, run }, user) => {
  const directory = join(user.home, '.config/containers');
  const files = {
    'containers.conf': podmanConfiguration(gatherPodmanFacts(), { rootless: true }),
    'storage.conf': '[storage]\ndriver = "overlay"\n',
  };
  for (const [name, text] of Object.entries(files)) {
    if (isWritten(join(directory, name), text)) continue;
    const script = 'mkdir -p "$1" && printf %s "$3" > "$1/$2"';
    const [file = '', ...args] = asTestUser(user, env['PATH'] ?? '', ['sh', '-c', script, 'sh', directory, name, text]);
    const written = await run(file, args, { cwd: '/' });
    if (!written.ok) throw new SetupFailure(`${user.name} cannot write ${join(directory, name)}`, { why: written.tail });
  }
};

/** @param {import('../setup.mjs').Context} context @param {string} reference @param {import('./user.mjs').TestUser} user @returns {Promise<Variant>} */
export const prepareRootlessPodman = async (context, reference, user) => {
  ensureUserRuntime(user);
  await configure(context, user);
  const command = { argv: asTestUser(user, context.env['PATH'] ?? '', ['podman']), env: {} };
  await ensureImage(context, 'podman-rootless', command, reference);
  await ensureRuns(context, command, reference);
  return { id: 'podman-rootless', engine: 'podman', user, environment: userEnvironment(user) };
};
