import { dockerGate, runProgram } from '@doompi-sandbox/testkit';
import { capture, detectEngine, type Engine, type RunSpec } from '../../src/index.ts';

/** Why tests against real docker are skipped here; printed once. */
export const engineSkip: string | undefined = await dockerGate();
if (engineSkip !== undefined) console.warn(`skipped: ${engineSkip}`);

/** An image that every set-up provides. */
export const TEST_IMAGE = 'node:24-bookworm-slim';

/** A run of the test image that does nothing, without a network, carrying a label `name=value`; but for what is given. */
export const runSpec = (label: string, given: Partial<RunSpec> = {}): RunSpec => {
  const [name = '', value = ''] = label.split('=');
  return {
    image: TEST_IMAGE,
    command: ['true'],
    interactive: false,
    tty: false,
    labels: { [name]: value },
    mounts: [],
    environment: [],
    workdir: '/',
    network: 'none',
    pull: 'never',
    ...given,
  };
};

const podmanGate = async (): Promise<string | undefined> => {
  const inspect = async (): Promise<string | undefined> => {
    const { exitCode, stderr } = await runProgram('podman', ['image', 'inspect', '--format', '{{.Id}}', TEST_IMAGE]);
    return exitCode === 0 ? undefined : `podman does not hold ${TEST_IMAGE}: ${stderr.trim()}`;
  };
  const reason = await inspect().catch((error: unknown) => `podman does not run: ${String(error)}`);
  if (reason !== undefined && (process.env['CI'] ?? '') !== '')
    throw new Error(`Podman tests must run where CI is set, but ${reason}.`);
  return reason;
};

/** Why tests against real podman are skipped here; printed once. */
export const podmanSkip: string | undefined = await podmanGate();
if (podmanSkip !== undefined) console.warn(`skipped: ${podmanSkip}`);

export const realEngine = (): Promise<Engine> => detectEngine({ environment: process.env, override: 'docker' });

export const realPodman = (): Promise<Engine> => detectEngine({ environment: process.env, override: 'podman' });

export interface RealEngine {
  readonly name: 'docker' | 'podman';
  /** Why it is not tested here. */
  readonly skip: string | undefined;
  readonly detect: () => Promise<Engine>;
}

/** The engines that tests run on for real. */
export const REAL_ENGINES: readonly RealEngine[] = [
  { name: 'docker', skip: engineSkip, detect: realEngine },
  { name: 'podman', skip: podmanSkip, detect: realPodman },
];

/** Removes the containers, volumes and images that carry the label, and nothing else. */
export const removeLabelled = async (engine: Engine, label: string): Promise<void> => {
  const kinds = [
    [
      ['container', 'ls', '--all', '--quiet'],
      ['container', 'rm', '--force', '--volumes'],
    ],
    [
      ['volume', 'ls', '--quiet'],
      ['volume', 'rm', '--force'],
    ],
    [
      ['image', 'ls', '--quiet'],
      ['image', 'rm', '--force'],
    ],
  ] as const;
  for (const [list, remove] of kinds) {
    const { stdout } = await capture(engine, [...list, '--filter', `label=${label}`]);
    const found = [...new Set(stdout.split('\n').filter((line) => line !== ''))];
    if (found.length > 0) await capture(engine, [...remove, ...found]);
  }
};

/** An engine value around a stub command. */
export const stubEngine = (file: string, environment: Record<string, string> = {}, part: Partial<Engine> = {}): Engine => ({
  name: 'docker',
  file,
  clientVersion: '28.2.2',
  serverVersion: '20.10.24',
  apiVersion: '1.41',
  platform: { os: 'linux', architecture: 'amd64' },
  rootless: false,
  usernsRemap: false,
  location: 'native',
  endpoint: { transport: 'unix', path: '/var/run/docker.sock' },
  endpointSource: 'default',
  selinux: false,
  environment,
  ...part,
});
