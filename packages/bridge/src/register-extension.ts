import { randomUUID } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reasonOf } from './error.ts';
import { withSettingsLock } from './settings-lock.ts';

export interface RegisterExtensionOptions {
  /** Pi's agent directory; undefined = nowhere to register. */
  readonly agentDirectory: string | undefined;
  /** Absolute path of the extension's file. */
  readonly extension: string;
  /** Receives one line when the settings cannot be used as they are. */
  readonly warn: (line: string) => void;
}

type Settings = Record<string, unknown>;

const isSettings = (value: unknown): value is Settings => typeof value === 'object' && value !== null && !Array.isArray(value);

const readText = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (reasonOf(error) === 'ENOENT') return '';
    throw error;
  }
};

/**
 * Settings text that lists `extension`; undefined when it does already.
 * @throws TypeError when the text is not settings that Pi could use.
 */
export const withExtension = (source: string, extension: string): string | undefined => {
  const json = source.replace(/^\uFEFF/, '');
  const settings: unknown = json.trim() === '' ? {} : JSON.parse(json);
  if (!isSettings(settings)) throw new TypeError('not an object');
  const listed = settings['extensions'] ?? [];
  if (!Array.isArray(listed)) throw new TypeError('"extensions" is not a list');
  if (listed.includes(extension)) return undefined;
  return JSON.stringify({ ...settings, extensions: [...(listed as unknown[]), extension] }, undefined, 2);
};

/** Keeps the mode, and a link to the file as a link. */
const replace = async (path: string, text: string): Promise<void> => {
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (found) => found.mode & 0o777,
    () => 0o644,
  );
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text, { flag: 'wx', mode });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
};

/**
 * Makes sure that Pi's personal settings list the extension, so that a Pi that was started without our `pi` command
 * (by npx, by node and path, as a sub-agent) is redirected as well. The extension does nothing outside a session.
 * Other settings stay as they are; settings that cannot be read are left alone, with one warning.
 */
export const registerExtension = async ({ agentDirectory, extension, warn }: RegisterExtensionOptions): Promise<void> => {
  if (agentDirectory === undefined) return;
  const path = join(agentDirectory, 'settings.json');
  try {
    if (withExtension(await readText(path), extension) === undefined) return;
    await mkdir(dirname(path), { recursive: true });
    await withSettingsLock(path, async () => {
      const text = withExtension(await readText(path), extension);
      if (text !== undefined) await replace(path, text);
    });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error instanceof SyntaxError ? 'not JSON' : reasonOf(error));
    warn(`could not add ${extension} to "extensions" in ${path} (${reason}); only the pi command of the image is redirected`);
  }
};
