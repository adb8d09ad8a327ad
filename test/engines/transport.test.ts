import type { EngineVariantId } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { CALLER, startEchoUpstream } from '../helpers/echo-upstream.ts';
import { noPodmanTcp, useVariant } from '../helpers/variant-session.ts';

const KEY = 'sk-ant-api03-real-0123456789abcdef';

const SOCKET = '/run/doompi/broker.sock';

const TUNNEL = "the session reaches this launcher by a tunnel through the engine's exec";
const TCP = 'the session reaches this launcher by tcp';
const LOOPBACK = "the session can reach every service on this host's loopback interface";

interface Row {
  readonly options: readonly string[];
  /** Whether the broker's socket is named to the agent. */
  readonly socket: boolean;
  /** What is said about transports. */
  readonly says: readonly string[];
}

const AUTO: Row = { options: [], socket: true, says: [] };
const BY_TUNNEL: Row = { options: ['--transport', 'tunnel'], socket: false, says: [TUNNEL] };
const BY_TCP: Row = { options: ['--transport', 'tcp'], socket: false, says: [TCP] };

/** What works where. */
const WORKING: Readonly<Record<EngineVariantId, readonly Row[]>> = {
  docker: [AUTO, BY_TUNNEL, BY_TCP],
  podman: [AUTO, BY_TUNNEL, { ...BY_TCP, says: [LOOPBACK, TCP] }],
  'podman-rootless': [AUTO, BY_TUNNEL, { ...BY_TCP, says: [LOOPBACK, TCP] }],
  'docker-rootless': [AUTO, BY_TUNNEL],
  'docker-userns': [AUTO, BY_TUNNEL],
  'docker-gvisor': [
    { options: ['--runtime', 'runsc'], socket: true, says: [`${TUNNEL}, because it cannot by mounted sockets (EPERM)`] },
    { options: ['--runtime', 'runsc', '--transport', 'tunnel'], socket: false, says: [TUNNEL] },
    { options: ['--runtime', 'runsc-uds'], socket: true, says: [] },
    { options: ['--runtime', 'runsc-uds', '--transport', 'tunnel'], socket: false, says: [TUNNEL] },
  ],
};

/** What cannot work where, and what is said about it. */
const FAILING: readonly (readonly [EngineVariantId, readonly string[], RegExp])[] = [
  ['docker-rootless', ['--transport', 'tcp'], /cannot reach this launcher by tcp: .*not of this host.*--transport tunnel/],
  // Its network is not of this host. Where the gateway has the address of the other docker's, nobody there proves to be the launcher.
  [
    'docker-gvisor',
    ['--transport', 'tcp'],
    /(?:could not reach this launcher by tcp; no agent was started|cannot listen on [\d.]+).*--transport tunnel/,
  ],
  ['docker-gvisor', ['--runtime', 'runsc', '--transport', 'socket'], /lifeline\.sock \(EPERM\)[^]*--transport tunnel/],
];

describe.each(Object.entries(WORKING) as [EngineVariantId, readonly Row[]][])('on %s', (id, rows) => {
  const sessions = useVariant(id);

  it.for(rows)('calls pass with $options', async ({ options, socket, says }, { skip }) => {
    const engine = sessions();
    if (engine.reason !== undefined) skip(engine.reason);
    const without = noPodmanTcp(engine.variant.engine, options.at(-1) ?? '');
    if (without !== undefined) skip(without);
    await using upstream = await startEchoUpstream(100_000);
    await using repository = await engine.repository({ files: { 'caller.cjs': CALLER } });
    const { exitCode, stdout, stderr } = await engine.run(repository.path, ['node', 'caller.cjs'], {
      options: [...options, '--upstream', `anthropic=${upstream.url}`],
      env: { ANTHROPIC_API_KEY: KEY },
    });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(stdout)).toEqual({
      large: { status: 200, up: true, down: upstream.digest },
      same: true,
      socket: socket ? SOCKET : null,
    });
    const said = stderr.split('\n').filter((line) => /reaches this launcher|can reach every service/.test(line));
    expect(said).toEqual(says.map((text) => expect.stringContaining(text)));
  });

  it.for(FAILING.filter(([each]) => each === id))(
    '%s with %j fails with the reason and what to use',
    async ([, options, message], { skip }) => {
      const engine = sessions();
      if (engine.reason !== undefined) skip(engine.reason);
      await using repository = await engine.repository();
      const { exitCode, stdout, stderr } = await engine.run(repository.path, ['echo', 'agent'], { options });
      expect({ exitCode, stdout }).toEqual({ exitCode: 125, stdout: '' });
      expect(stderr).toMatch(message);
    },
  );
});
