import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { LABELS } from '@doompi-sandbox/contract';
import { detectEngine, type Engine, listContainers, removeContainer, removeVolume, capture } from '@doompi-sandbox/engine';
import { scratchRepository, waitFor, type ScratchRepository, type ScratchRepositoryOptions } from '@doompi-sandbox/testkit';

/** The command from its sources, as `node` runs it. */
export const COMMAND: readonly string[] = [
  '--conditions=@doompi-sandbox/source',
  fileURLToPath(new URL('../../src/bin.ts', import.meta.url)),
];

/** What the command needs of this machine, and nothing that a person may have set for sandboxes. */
const KEPT =
  /^(?:PATH|DOCKER_.*|XDG_CACHE_HOME|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|DOOMPI_SANDBOX_BASE_IMAGE|https?_proxy|no_proxy)$/i;

/** Environment of a session in a test: this machine's, without any key, and what is given. */
export const sessionEnvironment = (given: Readonly<Record<string, string>> = {}): Record<string, string> => {
  const environment: Record<string, string> = { HOME: homedir(), PI_OFFLINE: '1' };
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined && KEPT.test(name)) environment[name] = value;
  return { ...environment, ...given };
};

export interface SandboxOptions {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdio?: 'pipe' | 'ignore';
  readonly detached?: boolean;
}

/** A running command. */
export interface RunningSandbox {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: Promise<string>;
  readonly stderr: Promise<string>;
  readonly closed: Promise<unknown>;
}

/** Starts `doompi-sandbox` with pipes for its streams. */
export const startSandbox = (args: readonly string[], options: SandboxOptions): RunningSandbox => {
  const { cwd, environment, detached = false } = options;
  const child = spawn(process.execPath, [...COMMAND, ...args], {
    cwd,
    env: sessionEnvironment(environment),
    stdio: 'pipe',
    detached,
  });
  // An agent that does not read its input closes the pipe; that is its right.
  child.stdin.on('error', () => {});
  return { child, pid: child.pid ?? -1, stdout: text(child.stdout), stderr: text(child.stderr), closed: once(child, 'close') };
};

export interface SandboxResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `doompi-sandbox` to its end. */
export const sandbox = async (
  args: readonly string[],
  options: SandboxOptions & { readonly input?: string | Uint8Array },
): Promise<SandboxResult> => {
  const running = startSandbox(args, options);
  running.child.stdin?.end(options.input ?? '');
  const [stdout, stderr] = await Promise.all([running.stdout, running.stderr, running.closed]);
  return { exitCode: running.child.exitCode, stdout, stderr };
};

let detected: Promise<Engine> | undefined;

/** The engine that sessions of these tests run on. */
export const testEngine = async (): Promise<Engine> => (detected ??= detectEngine({ environment: sessionEnvironment() }));

/** Ids of the containers of a repository's sessions. */
export const containersOf = async (repository: string): Promise<readonly string[]> =>
  (await listContainers(await testEngine(), { labels: { [LABELS.repository]: repository } })).map(({ id }) => id);

/** The container of a repository's session, as soon as it runs. Those that only fill volumes never do. */
export const containerOf = async (repository: string): Promise<string> =>
  waitFor(
    async () => {
      const found = await listContainers(await testEngine(), { labels: { [LABELS.repository]: repository } });
      return found.find(({ state }) => state === 'running')?.id;
    },
    { timeoutMs: 30_000, what: 'the container' },
  );

/** Output of the engine's command; a failure throws. */
export const engineOutput = async (...args: readonly string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await capture(await testEngine(), args);
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout;
};

/** Removes what the sessions of a repository leave on purpose (the home volume) and what a failed test left. */
export const cleanUp = async (repository: string): Promise<void> => {
  const engine = await testEngine();
  await Promise.all((await containersOf(repository)).map((id) => removeContainer(engine, id)));
  const volumes = await engineOutput('volume', 'ls', '--quiet', '--filter', `label=${LABELS.repository}=${repository}`);
  await Promise.all(
    volumes
      .split('\n')
      .filter((name) => name !== '')
      .map((name) => removeVolume(engine, name)),
  );
};

/** A repository for one test, with everything that its sessions leave removed at the end. */
export const sessionRepository = async (options: ScratchRepositoryOptions = {}): Promise<ScratchRepository> => {
  const repository = await scratchRepository(options);
  const dispose = async (): Promise<void> => {
    await cleanUp(repository.path);
    await repository.dispose();
  };
  return { ...repository, dispose, [Symbol.asyncDispose]: dispose };
};
