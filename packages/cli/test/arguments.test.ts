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
      '--agent doompi --agent-package ./a.tgz --base-image debian --engine docker --env A --env B --upstream anthropic=http://127.0.0.1:1/a=b --no-broker --no-devcontainer --repo sub -q';
    const { options, repository, quiet } = run(...line.split(' '));
    expect(options).toEqual({
      agent: 'doompi',
      agentPackage: './a.tgz',
      baseImage: 'debian',
      engine: 'docker',
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

  it.each([[['--version']], [['-V']], [['run', '--version']]])('%j prints the version', (argv) => {
    expect(parse(argv)).toEqual({ kind: 'text', text: '1.2.3\n' });
  });

  it.each([
    [['--nonsense'], /unknown option '--nonsense'/],
    [['hello'], /too many arguments|unknown command/],
    [['run', 'hello'], /too many arguments/],
    [['--agent', 'x'], /Allowed choices are pi, doompi/],
    [['--env'], /argument missing/],
    [['--upstream', 'anthropic'], /PROVIDER=URL/],
  ])('%j is a mistake', (argv, message) => {
    expect(parse(argv)).toMatchObject({ kind: 'mistake', message: expect.stringMatching(message) });
  });
});
