import { copyImage, engineVariant, runOnVariant, type EngineVariant, type EngineVariantId } from '@doompi-sandbox/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { installDemo, type InstalledDemo } from '../helpers/installed-demo.ts';
import { noPodmanTcp } from '../helpers/variant-session.ts';

interface Outcome {
  readonly ok: boolean;
  readonly image: string;
  readonly [name: string]: unknown;
}

type Transport = 'auto' | 'socket' | 'tcp' | 'tunnel';

interface Run {
  readonly id: EngineVariantId;
  readonly runtime?: string;
  readonly transports: readonly Transport[];
  /** What the engine says of itself. */
  readonly rootless: boolean;
}

/**
 * `auto` is the socket wherever one opens; `transport.test.ts` names it, and has what is left out here.
 * The daemons of `docker-userns` and `docker-gvisor` are in a network of their own, which has no way to the launcher: no tcp there.
 * `runsc` refuses a mounted socket, so that only the tunnel is left; `auto` has to find that out.
 */
const RUNS: readonly Run[] = [
  { id: 'docker', transports: ['auto', 'tcp', 'tunnel'], rootless: false },
  { id: 'podman', transports: ['auto', 'tcp', 'tunnel'], rootless: false },
  { id: 'podman-rootless', transports: ['auto', 'tcp', 'tunnel'], rootless: true },
  { id: 'docker-rootless', transports: ['auto', 'tunnel'], rootless: true },
  { id: 'docker-userns', transports: ['auto'], rootless: false },
  { id: 'docker-gvisor', runtime: 'runsc', transports: ['auto', 'tunnel'], rootless: false },
  { id: 'docker-gvisor', runtime: 'runsc-uds', transports: ['auto'], rootless: false },
];

const CASES = RUNS.flatMap(({ transports, ...run }) =>
  transports.map((transport) => ({
    ...run,
    transport,
    name: [run.id, run.runtime, transport].filter((part) => part !== undefined).join(', '),
  })),
);

/** Deadline of one demo, which looks through every file of a container. Milliseconds. */
const DEADLINE = 120_000;

let demo: InstalledDemo;

const runDemo = async (variant: EngineVariant, options: readonly string[]): Promise<{ outcome: Outcome; text: string }> => {
  const env = { PI_OFFLINE: '1' };
  const args = [demo.file, '--json', '--engine', variant.engine, ...options];
  const { exitCode, stdout, stderr } = await runOnVariant(variant, demo.node, args, { env, timeoutMs: DEADLINE });
  const text = `${stdout}${stderr}`;
  const outcome = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Outcome;
  expect(outcome.ok, text).toBe(exitCode === 0);
  return { outcome, text };
};

let first: Promise<{ outcome: Outcome; text: string }> | undefined;

/** The demo on the docker of this machine, which builds the sandbox image: the other engines get a copy, and some of them could not build it. */
const runOnDocker = (docker: EngineVariant): Promise<{ outcome: Outcome; text: string }> => (first ??= runDemo(docker, []));

beforeAll(async () => {
  demo = await installDemo();
});

describe('the demo', () => {
  it.for(CASES)(
    'sees the real key upstream and nowhere else: $name',
    { timeout: 3 * DEADLINE },
    async ({ id, runtime, transport, rootless }, { skip }) => {
      const docker = await engineVariant('docker');
      if (typeof docker === 'string') return skip(docker);
      const variant = await engineVariant(id);
      if (typeof variant === 'string') return skip(variant);
      const without = noPodmanTcp(variant.engine, transport);
      if (without !== undefined) return skip(without);
      const { image } = (await runOnDocker(docker)).outcome;
      if (id !== 'docker') await copyImage(image, variant);
      const options = [
        ...(transport === 'auto' ? [] : ['--transport', transport]),
        ...(runtime === undefined ? [] : ['--runtime', runtime]),
      ];
      const isFirst = id === 'docker' && options.length === 0;
      const { outcome, text } = await (isFirst ? runOnDocker(docker) : runDemo(variant, options));
      expect(outcome, text).toMatchObject({
        ok: true,
        rootless,
        keySeenByUpstream: true,
        keyInContainer: false,
        searchWorks: true,
        leftovers: [],
      });
      // podman puts the registry that it takes for its own before the name.
      expect(outcome.image.replace(/^localhost\//, '')).toBe(image);
      expect(outcome['engine']).toMatch(new RegExp(`^${variant.engine} \\d`));
      if (transport !== 'auto') expect(outcome['transport']).toBe(transport);
    },
  );
});
