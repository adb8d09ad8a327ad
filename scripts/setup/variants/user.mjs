import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SetupFailure } from '../failure.mjs';
import { TEST_HOME, TEST_USER, USER_RUNTIME } from './places.mjs';

/** @typedef {{ name: string, uid: number, gid: number, home: string }} TestUser */

const SUBORDINATE_FILES = ['/etc/subuid', '/etc/subgid'];

/** As many as the images of Debian and Node have ids. */
const COUNT = 65_536;
const FIRST = 100_000;

const read = (/** @type {string} */ file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** Whether a text of the form of subuid(5) gives the user a range that an image fits into. */
export const hasRange = (/** @type {string} */ text, /** @type {string} */ name) =>
  text.split('\n').some((line) => {
    const [owner, , count] = line.split(':');
    return owner === name && Number(count) >= COUNT;
  });

/** First id after every range that the texts give away. */
export const freeRange = (/** @type {readonly string[]} */ ...texts) => {
  const ends = texts
    .flatMap((text) => text.split('\n'))
    .map((line) => line.split(':'))
    .map(([, first, count]) => Number(first) + Number(count))
    .filter((end) => Number.isInteger(end));
  return Math.max(FIRST, ...ends);
};

/** @returns {TestUser | undefined} the user, when it can run rootless engines */
export const findTestUser = () => {
  const line = read('/etc/passwd')
    .split('\n')
    .find((entry) => entry.startsWith(`${TEST_USER}:`));
  if (line === undefined || !SUBORDINATE_FILES.every((file) => hasRange(read(file), TEST_USER))) return undefined;
  const [name = '', , uid, gid, , home = ''] = line.split(':');
  return { name, uid: Number(uid), gid: Number(gid), home };
};

/**
 * Makes the user, or what it lacks.
 * @param {Pick<import('../setup.mjs').Context, 'run' | 'report'>} context
 */
export const createTestUser = async ({ run, report }) => {
  const must = async (/** @type {string} */ file, /** @type {readonly string[]} */ args) => {
    const result = await run(file, args, { timeoutMs: 20_000, finish: true });
    if (!result.ok) throw new SetupFailure(`The user ${TEST_USER} cannot be made`, { why: result.tail });
  };
  await report.step(`test user: ${TEST_USER}, with subordinate ids`, async () => {
    // useradd gives subordinate ids only where these files are.
    for (const file of SUBORDINATE_FILES) if (!existsSync(file)) writeFileSync(file, '', { mode: 0o644 });
    if (!read('/etc/passwd').includes(`\n${TEST_USER}:`)) {
      const comment = ['--comment', 'runs the rootless engines of tests'];
      await must('useradd', ['--create-home', '--home-dir', TEST_HOME, '--shell', '/bin/sh', ...comment, TEST_USER]);
    }
    for (const [file, option] of /** @type {const} */ ([
      ['/etc/subuid', '--add-subuids'],
      ['/etc/subgid', '--add-subgids'],
    ])) {
      if (hasRange(read(file), TEST_USER)) continue;
      const first = freeRange(...SUBORDINATE_FILES.map(read));
      await must('usermod', [option, `${first}-${first + COUNT - 1}`, TEST_USER]);
    }
  });
};

/** The user's XDG_RUNTIME_DIR, which a login session would make. */
export const ensureUserRuntime = (/** @type {TestUser} */ { uid, gid }) => {
  mkdirSync(USER_RUNTIME, { recursive: true, mode: 0o700 });
  chownSync(USER_RUNTIME, uid, gid);
};

/** What a program of that user gets, and nothing of the environment of set-up. */
export const userEnvironment = (/** @type {TestUser} */ { name, home }) => ({
  HOME: home,
  USER: name,
  LOGNAME: name,
  XDG_RUNTIME_DIR: USER_RUNTIME,
});

/**
 * The argument list that runs a program as that user.
 * @param {TestUser} user
 * @param {string} path PATH
 * @param {readonly string[]} argv
 */
export const asTestUser = (user, path, argv) => [
  'setpriv',
  `--reuid=${user.uid}`,
  `--regid=${user.gid}`,
  '--init-groups',
  '--',
  'env',
  '-i',
  `PATH=${path}`,
  ...Object.entries(userEnvironment(user)).map(([name, value]) => `${name}=${value}`),
  ...argv,
];
