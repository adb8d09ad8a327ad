import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '@doompi-sandbox/engine';
import { removeVolume } from '@doompi-sandbox/engine';
import { LABELS } from '@doompi-sandbox/contract';
import { scratchRepository, startModelServer, temporaryDirectory } from '@doompi-sandbox/testkit';
import type { DemoOptions } from './arguments.ts';
import { engineOutput, isRootless } from './engine.ts';
import { findLeftovers, sessionContainers, sessionVolumes } from './leftovers.ts';
import { lookAt, NOTHING_SEEN, type Seen } from './look.ts';
import { ask, askAndHold, prepareImage, type SessionOptions } from './session.ts';

/** What the demo saw. `undefined`: could not be observed. */
export interface Outcome extends Omit<Seen, 'volumes'> {
  readonly engine: string;
  readonly rootless: boolean | undefined;
  readonly answer: string;
  readonly exitCode: number | null;
  /** Whether every call reached the model server with the real key, and only in the slot where it belongs. */
  readonly keySeenByUpstream: boolean | undefined;
  readonly leftovers: readonly string[];
  readonly ttftMs: number | undefined;
  /** What the sessions wrote to stderr, for a failure's report. */
  readonly log: string;
}

const PROMPT = 'Say hello to the person who runs this demo.';
const ANSWER = 'Hello from the model server: your key never entered the container.';

/** Planted in environment and repository, and searched for as a control. */
const CANARY_VARIABLE = 'DEMO_CANARY';

interface Setting {
  readonly options: readonly string[];
  /** The only keys in the environment, so that the agent picks their provider by itself. */
  readonly keys: Readonly<Record<string, string>>;
  /** The real keys, to be searched for. */
  readonly secrets: readonly string[];
}

const environmentOf = (keys: Readonly<Record<string, string>>, canary: string, temporary: string): Record<string, string> => {
  const environment: Record<string, string> = { ...keys, [CANARY_VARIABLE]: canary, TMPDIR: temporary, PI_OFFLINE: '1' };
  const kept =
    /^(?:PATH|HOME|USER|LOGNAME|DOCKER_.*|CONTAINERS?_.*|XDG_.*|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|DOOMPI_SANDBOX_(?:ENGINE|AGENT_PACKAGE|BASE_IMAGE)|https?_proxy|no_proxy)$/i;
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && kept.test(name)) environment[name] ??= value;
  return environment;
};

const sabotageLeftover = async (engine: Engine, repository: string, image: string): Promise<void> => {
  await engineOutput(engine, [
    'run',
    '--detach',
    '--rm',
    '--label',
    `${LABELS.repository}=${repository}`,
    '--entrypoint',
    'sleep',
    image,
    '300',
  ]);
};

/** Runs two sessions, one timed and one held open for the search, and looks at what is left. */
const observe = async (
  engine: Engine,
  setting: Setting,
  { sabotage, commandOptions }: DemoOptions,
): Promise<Omit<Outcome, 'keySeenByUpstream'>> => {
  const canary = `canary-${randomBytes(12).toString('hex')}`;
  await using repository = await scratchRepository({
    name: 'demo repository',
    files: { 'README.md': '# Demo\n', 'canary.txt': `${canary}\n` },
  });
  await using temporary = await temporaryDirectory();
  if (sabotage === 'leak') await writeFile(join(repository.path, '.env'), `KEY=${setting.secrets[0]}\n`);
  const before = await repository.git('status', '--porcelain');
  const session = (agent: readonly string[]): SessionOptions => ({
    args: [...commandOptions, ...setting.options, '--env', CANARY_VARIABLE, '--', ...agent],
    cwd: repository.path,
    environment: environmentOf(setting.keys, canary, temporary.path),
  });
  await prepareImage(session(['--version']));
  const answer = await ask(session(['-p', PROMPT]));
  let seen = NOTHING_SEEN;
  try {
    if (answer.exitCode === 0)
      await askAndHold({ ...session(['--mode', 'rpc']), prompt: PROMPT }, async () => {
        const [container] = await sessionContainers(engine, repository.path);
        if (container === undefined) throw new Error('the session has no container');
        seen = await lookAt(engine, container, { secrets: setting.secrets, canary });
        if (sabotage === 'leftover') await sabotageLeftover(engine, repository.path, seen.image ?? '');
      });
    const untracked = (await repository.git('status', '--porcelain')) === before ? [] : ['(git status changed)'];
    const leftovers = await findLeftovers(engine, { repository: repository.path, temporaryDirectory: temporary.path, untracked });
    const { volumes: _volumes, ...kept } = seen;
    return {
      ...kept,
      engine: `${engine.name} ${engine.serverVersion}`,
      rootless: await isRootless(engine),
      answer: answer.stdout.trim(),
      exitCode: answer.exitCode,
      leftovers,
      ttftMs: answer.ttftMs,
      log: answer.stderr,
    };
  } finally {
    for (const name of await sessionContainers(engine, repository.path)) await engineOutput(engine, ['rm', '--force', name]);
    const volumes = new Set([...seen.volumes, ...(await sessionVolumes(engine, repository.path))]);
    for (const volume of volumes) await removeVolume(engine, volume);
  }
};

/** The demo against a model server on this host, which insists on a key that only the host has. */
export const runAgainstModelServer = async (engine: Engine, options: DemoOptions): Promise<Outcome> => {
  const key = `sk-ant-api03-demo-${randomBytes(24).toString('hex')}`;
  await using server = await startModelServer({ key, answer: ANSWER });
  const seen = await observe(
    engine,
    {
      options: ['--upstream', `anthropic=${server.url}`],
      keys: { ANTHROPIC_API_KEY: key },
      secrets: [key],
    },
    options,
  );
  const keySeenByUpstream =
    server.requests.length > 0 &&
    server.requests.every(
      ({ credentials, realKeyElsewhere }) => credentials.length === 1 && credentials[0]?.isRealKey === true && !realKeyElsewhere,
    );
  return { ...seen, keySeenByUpstream };
};

/** The demo against a real provider, with the key that the person's environment holds. What the provider saw cannot be observed. */
export const runAgainstProvider = async (
  engine: Engine,
  options: DemoOptions,
  credential: { readonly variable: string; readonly value: string },
): Promise<Outcome> => {
  const setting = {
    options: [],
    keys: { [credential.variable]: credential.value },
    secrets: [credential.value],
  };
  return { ...(await observe(engine, setting, options)), keySeenByUpstream: undefined };
};

/** Whether everything held. */
export const isOk = (outcome: Outcome): boolean =>
  outcome.exitCode === 0 &&
  outcome.answer !== '' &&
  outcome.keySeenByUpstream !== false &&
  outcome.searchWorks &&
  outcome.findings.length === 0 &&
  outcome.leftovers.length === 0;
