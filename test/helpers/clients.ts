import { runProgram } from '@doompi-sandbox/testkit';
import { containerOf, engineOutput } from './sandbox.ts';

/** Name of the container of a repository's session. */
export const nameOf = async (repository: string): Promise<string> =>
  (await engineOutput('container', 'inspect', '--format', '{{.Name}}', await containerOf(repository))).trim().replace('/', '');

/** Process ids of the engine's clients that run a program in this container. */
export const execClients = async (container: string): Promise<readonly number[]> => {
  const { stdout } = await runProgram('ps', ['-eo', 'pid=,args=']);
  return stdout
    .split('\n')
    .filter((line) => /\bexec --interactive\b/.test(line) && line.includes(container))
    .map((line) => Number.parseInt(line, 10));
};
