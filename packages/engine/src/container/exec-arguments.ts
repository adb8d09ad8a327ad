import { assertObjectName, assertVariableName } from './assert-names.ts';
import { isVariableOfAnyClient } from '../command/client-variables.ts';

/** A command to run in a running container with a pipe on each of its streams, never a terminal. */
export interface ExecSpec {
  /** Id or name. */
  readonly container: string;
  readonly command: readonly [string, ...string[]];
  /** Keep stdin open; default true. */
  readonly interactive?: boolean;
  /** Names only; values come from the environment of the client's process. */
  readonly environment?: readonly string[];
  /** Absolute path in the container. */
  readonly workdir?: string;
  readonly user?: { readonly uid: number; readonly gid: number };
}

/**
 * Arguments of the engine's command for a run inside a container. All engines spell these options the same.
 * @throws TypeError for a container or a variable name that the engine would read in another way
 */
export const execArguments = (spec: ExecSpec): string[] => {
  const { container, command, interactive = true, environment = [], workdir, user } = spec;
  assertObjectName('container', container, "a container's id or name");
  for (const name of environment) {
    assertVariableName(name);
    if (isVariableOfAnyClient(name))
      throw new TypeError(`environment: ${name} is read by an engine's own client and cannot carry a value`);
  }
  return [
    'exec',
    ...(interactive ? ['--interactive'] : []),
    ...(workdir === undefined ? [] : ['--workdir', workdir]),
    ...(user === undefined ? [] : ['--user', `${user.uid}:${user.gid}`]),
    ...environment.flatMap((name) => ['--env', name]),
    container,
    ...command,
  ];
};
