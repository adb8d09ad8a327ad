import { resolve } from 'node:path';
import type { LauncherOptions } from '@doompi-sandbox/harness';
import { Command, CommanderError, Option } from 'commander';

/** What the command line asks for. */
export type Invocation =
  | {
      readonly kind: 'run';
      readonly repository: string | undefined;
      readonly quiet: boolean;
      readonly options: LauncherOptions;
      readonly agentArguments: readonly string[];
    }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mistake'; readonly message: string };

interface RunOptions {
  readonly agent?: string;
  readonly agentPackage?: string;
  readonly baseImage?: string;
  readonly engine?: string;
  readonly transport?: string;
  readonly runtime?: string;
  readonly broker: boolean;
  readonly devcontainer: boolean;
  readonly env?: readonly string[];
  readonly upstream?: Readonly<Record<string, string>>;
  readonly repo?: string;
  readonly quiet?: boolean;
}

const EXAMPLES = `
Everything after -- goes to the agent:
  doompi-sandbox                          the agent's own terminal interface
  doompi-sandbox -- -p "explain main.ts"  one answer on stdout
  echo hi | doompi-sandbox -- -p          prompt from a pipe

Exit status: the agent's own; 128+N when signal N ended it; 127 when the image has no agent;
2 for a mistake on this command line; 125 when the session could not be started, or lost its agent.

Variables, each with the option that wins over it: DOOMPI_SANDBOX_AGENT, DOOMPI_SANDBOX_AGENT_PACKAGE,
DOOMPI_SANDBOX_BASE_IMAGE, DOOMPI_SANDBOX_ENGINE, DOOMPI_SANDBOX_TRANSPORT, DOOMPI_SANDBOX_RUNTIME,
DOOMPI_SANDBOX_BROKER=0, DOOMPI_SANDBOX_DEVCONTAINER=0.`;

const append = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];

const upstream = (value: string, previous: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
  const split = value.indexOf('=');
  if (split < 1)
    throw new CommanderError(2, 'doompi-sandbox.upstream', `--upstream takes PROVIDER=URL, not ${JSON.stringify(value)}`);
  return { ...previous, [value.slice(0, split)]: value.slice(split + 1) };
};

const runOptions = (command: Command): Command =>
  command
    .addOption(new Option('--agent <id>', 'agent to run (default: pi)').choices(['pi', 'doompi']))
    .option('--agent-package <spec>', 'install this npm spec or local tarball instead of the pinned agent')
    .option('--base-image <reference>', 'build on this image instead of the official Node image')
    .option('--engine <name>', 'use this container engine')
    .addOption(
      new Option('--transport <kind>', 'how the session reaches this launcher (default: auto)').choices([
        'auto',
        'socket',
        'tcp',
        'tunnel',
      ]),
    )
    .option('--runtime <name>', "run the container with this OCI runtime instead of the engine's own")
    .option('--env <name>', 'let this host variable into the container, secret or not (repeatable)', append)
    .option(
      '--upstream <provider=url>',
      "send a provider's calls to this base URL, with the provider's key (repeatable)",
      upstream,
    )
    .option('--no-broker', 'redirect nothing; keys stay on the host unless named with --env')
    .option('--no-devcontainer', "say nothing about the repository's dev container configuration")
    .option('--repo <directory>', 'repository to mount (default: nearest directory with .git, else the working directory)')
    .option('-q, --quiet', 'print only errors');

const launcherOptions = (options: RunOptions): LauncherOptions => ({
  agent: options.agent,
  agentPackage: options.agentPackage,
  baseImage: options.baseImage,
  engine: options.engine,
  transport: options.transport,
  runtime: options.runtime,
  passVariables: options.env ?? [],
  upstreams: options.upstream ?? {},
  // Only the negative form is an option: without it the variable decides.
  ...(options.broker ? {} : { broker: false }),
  ...(options.devcontainer ? {} : { devcontainer: false }),
});

/** The options of a command as its own help lists them. */
const optionList = (command: Command): string => {
  const help = command.helpInformation();
  return help.slice(help.indexOf('Options:\n') + 'Options:\n'.length);
};

/** Reads a command line. Prints nothing: help and version come back as text, mistakes as a message. */
export const parseArguments = (argv: readonly string[], cwd: string, version: string): Invocation => {
  const split = argv.indexOf('--');
  const own = split === -1 ? argv : argv.slice(0, split);
  const agentArguments = split === -1 ? [] : argv.slice(split + 1);
  let text = '';
  let invocation: Invocation | undefined;
  const program = new Command('doompi-sandbox')
    .description('Run a coding agent in a disposable container; provider keys stay on the host.')
    .usage('[run] [options] [-- agent arguments]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: (chunk) => (text += chunk), writeErr: () => {} });
  const command = runOptions(
    program
      .command('run', { isDefault: true })
      .description('launch a session (the default)')
      .usage('[options] [-- agent arguments]'),
  );
  command
    .allowExcessArguments(false)
    .copyInheritedSettings(program)
    .version(version, '-V, --version', 'print the version')
    .addHelpText('after', EXAMPLES);
  // `run` is the default, so its options belong to the command's own help as well.
  program.addHelpText('after', () => `\nOptions of run:\n${optionList(command)}${EXAMPLES}`);
  command.action((options: RunOptions) => {
    const repository = options.repo === undefined ? undefined : resolve(cwd, options.repo);
    invocation = { kind: 'run', repository, quiet: options.quiet === true, options: launcherOptions(options), agentArguments };
  });
  try {
    program.parse([...own], { from: 'user' });
  } catch (failure) {
    if (!(failure instanceof CommanderError)) throw failure;
    if (failure.exitCode === 0) return { kind: 'text', text };
    return { kind: 'mistake', message: failure.message.replace(/^error: /, '') };
  }
  return invocation ?? { kind: 'text', text };
};
