import { TRANSPORT_SETTINGS, type LauncherOptions } from '@doompi-sandbox/harness';
import { type Command, CommanderError, Option } from 'commander';

/** Options as commander hands them over; a command has those that its parts below declare. */
export interface ParsedOptions {
  readonly agent?: string;
  readonly agentPackage?: string;
  readonly baseImage?: string;
  readonly engine?: string;
  readonly endpoint?: string;
  readonly transport?: string;
  readonly runtime?: string;
  readonly broker?: boolean;
  readonly devcontainer?: boolean;
  readonly env?: readonly string[];
  readonly upstream?: Readonly<Record<string, string>>;
  readonly repo?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly refresh?: boolean;
  readonly pull?: boolean;
}

const append = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];

const upstream = (value: string, previous: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
  const split = value.indexOf('=');
  if (split < 1)
    throw new CommanderError(2, 'doompi-sandbox.upstream', `--upstream takes PROVIDER=URL, not ${JSON.stringify(value)}`);
  return { ...previous, [value.slice(0, split)]: value.slice(split + 1) };
};

/** What decides engine and image: options of every command. */
export const imageOptions = (command: Command): Command =>
  command
    .addOption(new Option('--agent <id>', 'agent to run (default: pi)').choices(['pi', 'doompi']))
    .option('--agent-package <spec>', 'install this npm spec or local tarball instead of the pinned agent')
    .option('--base-image <reference>', 'build on this image instead of the official Node image')
    .option('--engine <name>', 'use this container engine')
    .option('--endpoint <url>', "use docker's server at this endpoint, such as unix:///run/docker.sock");

/** What decides where a session starts and whether it is brokered: options of launch, plan and diagnosis. */
export const placeOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--transport <kind>', 'how the session reaches this launcher (default: auto)').choices(TRANSPORT_SETTINGS),
    )
    .option('--runtime <name>', "run the container with this OCI runtime instead of the engine's own")
    .option('--no-broker', 'redirect nothing; keys stay on the host unless named with --env')
    .option('--repo <directory>', 'repository to mount (default: nearest directory with .git, else the working directory)');

/** What else a session takes: options of launch and plan. */
export const sessionOptions = (command: Command): Command =>
  command
    .option('--env <name>', 'let this host variable into the container, secret or not (repeatable)', append)
    .option(
      '--upstream <provider=url>',
      "send a provider's calls to this base URL, with the provider's key (repeatable)",
      upstream,
    )
    .option('--no-devcontainer', "say nothing about the repository's dev container configuration");

export const quietOption = (command: Command): Command => command.option('-q, --quiet', 'print only errors');

export const jsonOption = (command: Command): Command =>
  command.option('--json', 'print one JSON object on stdout, and nothing else there');

/** The launcher's own options; what a command does not declare is not set. */
export const launcherOptions = (options: ParsedOptions): LauncherOptions => ({
  agent: options.agent,
  agentPackage: options.agentPackage,
  baseImage: options.baseImage,
  engine: options.engine,
  endpoint: options.endpoint,
  transport: options.transport,
  runtime: options.runtime,
  passVariables: options.env ?? [],
  upstreams: options.upstream ?? {},
  // Only the negative form is an option: without it the variable decides.
  ...(options.broker === false ? { broker: false } : {}),
  ...(options.devcontainer === false ? { devcontainer: false } : {}),
});
