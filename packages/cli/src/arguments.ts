import { resolve } from 'node:path';
import type { LauncherOptions } from '@doompi-sandbox/harness';
import { Command, CommanderError } from 'commander';
import { EPILOGUES, type CommandName } from './help.ts';
import {
  imageOptions,
  jsonOption,
  launcherOptions,
  placeOptions,
  quietOption,
  sessionOptions,
  type ParsedOptions,
} from './options.ts';
import { suggestion } from './suggestion.ts';

interface Common {
  readonly options: LauncherOptions;
  /** Absolute path that `--repo` names. */
  readonly repository: string | undefined;
}

/** What the command line asks for. */
export type Invocation =
  | (Common & { readonly kind: 'run'; readonly quiet: boolean; readonly agentArguments: readonly string[] })
  | (Common & {
      readonly kind: 'plan';
      readonly json: boolean;
      readonly quiet: boolean;
      readonly agentArguments: readonly string[];
    })
  | {
      readonly kind: 'build';
      readonly options: LauncherOptions;
      readonly refresh: boolean;
      readonly pull: boolean;
      readonly quiet: boolean;
    }
  | (Common & { readonly kind: 'doctor'; readonly json: boolean })
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mistake'; readonly message: string; readonly help: string };

const COMMANDS: Readonly<
  Record<CommandName, { readonly description: string; readonly usage: string; readonly declare: (command: Command) => Command }>
> = {
  run: {
    description: 'launch a session (the default)',
    usage: '[options] [-- agent arguments]',
    declare: (command) => quietOption(sessionOptions(placeOptions(imageOptions(command)))),
  },
  plan: {
    description: 'print what a launch would do, and start nothing',
    usage: '[options] [-- agent arguments]',
    declare: (command) => quietOption(jsonOption(sessionOptions(placeOptions(imageOptions(command))))),
  },
  build: {
    description: 'make the image now, or anew',
    usage: '[options]',
    declare: (command) =>
      quietOption(
        imageOptions(command)
          .option('--refresh', 'build anew, with the newest base image and packages, and replace the image')
          .option('--no-pull', 'with --refresh: build on the copy of the base image that the engine has'),
      ),
  },
  doctor: {
    description: 'show whether a session could start here, and what to do about it if not',
    usage: '[options]',
    declare: (command) => jsonOption(placeOptions(imageOptions(command))),
  },
};

const NAMES = Object.keys(COMMANDS) as readonly CommandName[];

const mistake = (message: string): CommanderError => new CommanderError(2, 'doompi-sandbox.mistake', message);

const unexpectedWord = (name: CommandName, named: boolean, word: string): CommanderError => {
  if (named) return mistake(`too many arguments: ${name} takes options only, not ${JSON.stringify(word)}`);
  const meant = suggestion(word, NAMES);
  const advice =
    meant === undefined ? `what is meant for the agent goes after --: doompi-sandbox -- ${word}` : `did you mean ${meant}?`;
  return mistake(`unknown command ${JSON.stringify(word)}; ${advice}`);
};

const invocationOf = (name: CommandName, options: ParsedOptions, agentArguments: readonly string[], cwd: string): Invocation => {
  const common = {
    options: launcherOptions(options),
    repository: options.repo === undefined ? undefined : resolve(cwd, options.repo),
  };
  const quiet = options.quiet === true;
  const json = options.json === true;
  if (name === 'run') return { kind: name, ...common, quiet, agentArguments };
  if (name === 'plan') return { kind: name, ...common, json, quiet, agentArguments };
  if (agentArguments.length > 0) throw mistake(`${name} starts no agent, so it takes no arguments for one after --`);
  if (name === 'doctor') return { kind: name, ...common, json };
  const refresh = options.refresh === true;
  const pull = options.pull !== false;
  if (!pull && !refresh) throw mistake('--no-pull has a meaning together with --refresh only');
  return { kind: name, options: common.options, refresh, pull, quiet };
};

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
  const named = NAMES.find((name) => name === own[0]);
  let text = '';
  let invocation: Invocation | undefined;
  const program = new Command('doompi-sandbox')
    .description('Run a coding agent in a disposable container; provider keys stay on the host.')
    .usage('[command] [options] [-- agent arguments]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: (chunk) => (text += chunk), writeErr: () => {} });
  for (const name of NAMES) {
    const { description, usage, declare } = COMMANDS[name];
    const command = declare(
      program
        .command(name, { isDefault: name === 'run' })
        .description(description)
        .usage(usage),
    );
    command
      .copyInheritedSettings(program)
      .allowExcessArguments(true)
      .version(version, '-V, --version', 'print the version')
      .addHelpText('after', EPILOGUES[name]);
    // `run` is the default, so its options belong to the command's own help as well.
    if (name === 'run') program.addHelpText('after', () => `\nOptions of run:\n${optionList(command)}${EPILOGUES.run}`);
    command.action((options: ParsedOptions, { args }: Command) => {
      const [word] = args;
      if (word !== undefined) throw unexpectedWord(name, named !== undefined, word);
      invocation = invocationOf(name, options, agentArguments, cwd);
    });
  }
  try {
    program.parse([...own], { from: 'user' });
  } catch (failure) {
    if (!(failure instanceof CommanderError)) throw failure;
    if (failure.exitCode === 0) return { kind: 'text', text };
    const help = named === undefined ? 'doompi-sandbox --help' : `doompi-sandbox ${named} --help`;
    return { kind: 'mistake', message: failure.message.replace(/^error: /, ''), help };
  }
  return invocation ?? { kind: 'text', text };
};
