import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, type JsonObject, textOf } from '../command/json.ts';

/** An endpoint of docker's context store, as text. */
export interface DockerContext {
  readonly name: string;
  /** As stored, such as `unix:///run/user/1000/docker.sock`; empty when the context names none. */
  readonly host: string;
  /** The context brings certificates of its own, which only docker's command reads. */
  readonly tls: boolean;
}

const readJson = async (path: string): Promise<JsonObject | undefined> => {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    // Docker's own command goes on without its configuration too when the file is not there or cannot be read.
    return undefined;
  }
};

/** Name of the current context in docker's configuration directory; empty when none is chosen. */
export const currentContextName = async (configDirectory: string): Promise<string> =>
  textOf((await readJson(join(configDirectory, 'config.json')))?.['currentContext']);

/** Reads a context from docker's configuration directory, where it lies under the SHA-256 of its name; undefined when it is not there. */
export const readDockerContext = async (configDirectory: string, name: string): Promise<DockerContext | undefined> => {
  const id = createHash('sha256').update(name).digest('hex');
  const meta = await readJson(join(configDirectory, 'contexts/meta', id, 'meta.json'));
  if (meta === undefined) return undefined;
  const endpoints = isObject(meta['Endpoints']) ? meta['Endpoints'] : {};
  const docker = isObject(endpoints['docker']) ? endpoints['docker'] : {};
  const tls = await stat(join(configDirectory, 'contexts/tls', id, 'docker')).then(
    () => true,
    () => false,
  );
  return { name, host: textOf(docker['Host']), tls };
};
