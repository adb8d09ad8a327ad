import { readdir } from 'node:fs/promises';
import { LABELS } from '@doompi-sandbox/contract';
import type { Engine } from '@doompi-sandbox/engine';
import { engineOutput } from './engine.ts';

const lines = (output: string): string[] => output.split('\n').filter((line) => line !== '');

/** Containers of a repository's sessions, by name. */
export const sessionContainers = async (engine: Engine, repository: string): Promise<readonly string[]> =>
  lines(
    await engineOutput(engine, ['ps', '--all', '--filter', `label=${LABELS.repository}=${repository}`, '--format', '{{.Names}}']),
  );

/** What a finished session left behind: containers of the repository, files of the launcher's, changes in the repository. */
export const findLeftovers = async (
  engine: Engine,
  places: { readonly repository: string; readonly temporaryDirectory: string; readonly untracked: readonly string[] },
): Promise<readonly string[]> => [
  ...(await sessionContainers(engine, places.repository)).map((name) => `container ${name}`),
  ...(await readdir(places.temporaryDirectory)).map((name) => `temporary file ${name}`),
  ...places.untracked.map((name) => `file ${name} in the repository`),
];

/** Volumes of a repository's sessions, also of one that ended before it was looked at. */
export const sessionVolumes = async (engine: Engine, repository: string): Promise<readonly string[]> =>
  lines(await engineOutput(engine, ['volume', 'ls', '--quiet', '--filter', `label=${LABELS.repository}=${repository}`]));

/** The volumes that a session of the demo mounts, to be removed at the end: a person's own sessions keep theirs. */
export const mountedVolumes = async (engine: Engine, container: string): Promise<readonly string[]> =>
  lines(
    await engineOutput(engine, [
      'container',
      'inspect',
      '--format',
      '{{range .Mounts}}{{if eq .Type "volume"}}{{println .Name}}{{end}}{{end}}',
      container,
    ]),
  );

/** Reference of the image that a container was made of. */
export const imageOf = async (engine: Engine, container: string): Promise<string> =>
  (await engineOutput(engine, ['container', 'inspect', '--format', '{{.Config.Image}}', container])).trim();
