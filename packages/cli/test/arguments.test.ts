import { describe, expect, it } from 'vitest';
import { parseArguments, type Invocation } from '../src/arguments.ts';

const parse = (argv: readonly string[]): Invocation => parseArguments(argv, '/work dir', '1.2.3');

const run = (...argv: string[]): Extract<Invocation, { kind: 'run' }> => {
  const invocation = parse(argv);
  if (invocation.kind !== 'run') throw new Error(JSON.stringify(invocation));
  return invocation;
};

describe('the command line', () => {
  it('without anything launches the agent', () => {
    expect(run()).toMatchObject({ agentArguments: [], repository: undefined, quiet: false });
    expect(run().options).not.toHaveProperty('broker');
  });

  it.each([[[]], [['run']]])('%j takes options of its own and leaves what follows -- alone', (command) => {
    const invocation = run(...command, ...'--agent pi -- --version -p -- x'.split(' '));
    expect(invocation.options).toMatchObject({ agent: 'pi' });
    expect(invocation.agentArguments).toEqual(['--version', '-p', '--', 'x']);
  });

  it('has an option for every variable', () => {
    const line =
      '--agent doompi --agent-package ./a.tgz --base-image debian --engine docker --transport tunnel --runtime runsc --env A --env B --upstream anthropic=http://127.0.0.1:1/a=b --no-broker --no-devcontainer --repo sub -q';
    const { options, repository, quiet } = run(...line.split(' '));
    expect(options).toEqual({
      agent: 'doompi',
      agentPackage: './a.tgz',
      baseImage: 'debian',
      engine: 'docker',
      transport: 'tunnel',
      runtime: 'runsc',
      passVariables: ['A', 'B'],
      upstreams: { anthropic: 'http://127.0.0.1:1/a=b' },
      broker: false,
      devcontainer: false,
    });
    expect({ repository, quiet }).toEqual({ repository: '/work dir/sub', quiet: true });
  });

  it.each([[['--help']], [['-h']], [['run', '--help']]])('%j explains itself', (argv) => {
    expect(parse(argv)).toMatchObject({
      kind: 'text',
      text: expect.stringMatching(/Usage: doompi-sandbox[\s\S]*--upstream[\s\S]*Everything after --[\s\S]*Exit status/),
    });
  });

  it.each([
    ['plan', /--json[\s\S]*jq .mounts[\s\S]*Exit status: 0; 2 [\s\S]*125/],
    ['build', /--refresh[\s\S]*--no-pull[\s\S]*Exit status/],
    ['doctor', /--json[\s\S]*Exit status: 0 when a session could start here, 1 when not/],
  ])('%s --help explains it, with examples and exit status', (command, expected) => {
    expect(parse([command, '--help'])).toMatchObject({ kind: 'text', text: expect.stringMatching(expected) });
  });

  it.each(['run', 'plan', 'build', 'doctor'])('help lists %s', (command) => {
    const { text } = parse(['--help']) as Extract<Invocation, { kind: 'text' }>;
    expect(text).toMatch(new RegExp(`^  ${command} \\[options\\] `, 'm'));
  });

  it('a mistake names the help of its command', () => {
    expect(parse(['plan', '--nonsense'])).toMatchObject({ kind: 'mistake', help: 'doompi-sandbox plan --help' });
    expect(parse(['--nonsense'])).toMatchObject({ kind: 'mistake', help: 'doompi-sandbox --help' });
  });

  it('plan takes what run takes, and more', () => {
    const line = 'plan --json --env A --upstream anthropic=http://127.0.0.1:1 --engine podman --no-broker -q -- -p x';
    expect(parse(line.split(' '))).toEqual({
      kind: 'plan',
      json: true,
      quiet: true,
      repository: undefined,
      agentArguments: ['-p', 'x'],
      options: {
        agent: undefined,
        agentPackage: undefined,
        baseImage: undefined,
        engine: 'podman',
        passVariables: ['A'],
        upstreams: { anthropic: 'http://127.0.0.1:1' },
        broker: false,
      },
    });
  });

  it('build refreshes, with or without a pull', () => {
    expect(parse(['build'])).toMatchObject({ kind: 'build', refresh: false, pull: true, quiet: false });
    expect(parse(['build', '--refresh'])).toMatchObject({ refresh: true, pull: true });
    expect(parse(['build', '--refresh', '--no-pull', '--agent', 'doompi'])).toMatchObject({
      refresh: true,
      pull: false,
      options: { agent: 'doompi' },
    });
  });

  it('doctor takes what decides engine, image and place', () => {
    expect(parse('doctor --json --engine docker --repo sub --agent pi'.split(' '))).toMatchObject({
      kind: 'doctor',
      json: true,
      repository: '/work dir/sub',
      options: { engine: 'docker', agent: 'pi' },
    });
  });

  it.each([[['--version']], [['-V']], [['run', '--version']], [['plan', '-V']]])('%j prints the version', (argv) => {
    expect(parse(argv)).toEqual({ kind: 'text', text: '1.2.3\n' });
  });

  it.each([
    [['--nonsense'], /unknown option '--nonsense'/],
    [['hello'], /unknown command "hello"; what is meant for the agent goes after --: doompi-sandbox -- hello/],
    [['plna'], /unknown command "plna"; did you mean plan\?/],
    [['--quiet', 'docter'], /did you mean doctor\?/],
    [['build', 'x'], /too many arguments: build takes options only/],
    [['build', '--', 'x'], /build starts no agent/],
    [['doctor', '--', '-p'], /doctor starts no agent/],
    [['build', '--no-pull'], /together with --refresh only/],
    [['build', '--json'], /unknown option '--json'/],
    [['doctor', '--env', 'A'], /unknown option '--env'/],
    [['run', '--json'], /unknown option '--json'/],
    [['run', 'hello'], /too many arguments/],
    [['--agent', 'x'], /Allowed choices are pi, doompi/],
    [['--env'], /argument missing/],
    [['--upstream', 'anthropic'], /PROVIDER=URL/],
  ])('%j is a mistake', (argv, message) => {
    expect(parse(argv)).toMatchObject({ kind: 'mistake', message: expect.stringMatching(message) });
  });
});
