import { readdir, readFile } from 'node:fs/promises';
import type { Engine } from '@doompi-sandbox/engine';
import { engineOutput } from './engine.ts';

/** Where a text was found. Never the text itself. */
export interface Finding {
  readonly where: 'container environment' | 'container process' | 'container file' | 'engine inspect' | 'host argv';
  readonly detail: string;
}

/** A finding, and which text it is of. */
type Found = Finding & { readonly text: string };

/** One place where texts are looked for, all in one pass. */
type Search = (texts: readonly string[]) => Promise<readonly Found[]>;

/**
 * As whom to look inside: the session's own user and, where that is another one, root. Neither has capabilities, so that each can look into
 * its own processes and files alone.
 */
const usersOf = async (engine: Engine, container: string): Promise<readonly (readonly string[])[]> => {
  const uid = await engineOutput(engine, ['exec', container, 'id', '-u']);
  return uid.trim() === '0' ? [[]] : [[], ['--user', '0']];
};

/** Prints each process' environment and arguments inside. */
const PROCESSES =
  'for f in /proc/[0-9]*/environ /proc/[0-9]*/cmdline; do printf "\\n%s\\n" "$f"; tr "\\0" "\\n" < "$f" 2>/dev/null; done';

/**
 * Prints each file and the text in it. The texts come through a pipe, so that the search itself does not bring them into an environment or
 * an argument. Status 1 is grep's "found nothing", 2 a file that it may not read; any other failure stays one.
 */
const FILES = `grep -rasoZFf - --devices=skip --exclude-dir=proc --exclude-dir=sys --exclude-dir=dev /; [ "$?" -le 2 ]`;

const insideProcesses =
  (engine: Engine, container: string, user: readonly string[]): Search =>
  async (texts) => {
    const output = await engineOutput(engine, ['exec', ...user, container, 'sh', '-c', PROCESSES]);
    return output.split('\n/proc/').flatMap((section) => {
      const file = section.slice(0, section.indexOf('\n'));
      const where = file.includes('environ') ? 'container environment' : 'container process';
      return texts.filter((text) => section.includes(text)).map((text) => ({ text, where, detail: `/proc/${file}` }) as const);
    });
  };

const insideFiles =
  (engine: Engine, container: string, user: readonly string[]): Search =>
  async (texts) => {
    const args = ['exec', '--interactive', ...user, container, 'sh', '-c', FILES];
    const output = await engineOutput(engine, args, texts.map((text) => `${text}\n`).join(''));
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [detail = '', text = ''] = line.split('\0');
        return { text, where: 'container file', detail };
      });
  };

const engineInspect =
  (engine: Engine, container: string): Search =>
  async (texts) => {
    const output = await engineOutput(engine, ['container', 'inspect', container]);
    return texts
      .filter((text) => output.includes(text))
      .map((text) => ({ text, where: 'engine inspect', detail: 'container inspect' }));
  };

const hostArguments: Search = async (texts) => {
  const found: Found[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    for (const text of texts)
      if (command.includes(text)) found.push({ text, where: 'host argv', detail: `${command.split('\0')[0]} (pid ${pid})` });
  }
  return found;
};

/**
 * Looks for texts in everything that the container holds and in what others can see of it.
 * @returns the findings of each text, in the order of the texts
 */
export const searchFor = async (
  engine: Engine,
  container: string,
  texts: readonly string[],
): Promise<readonly (readonly Finding[])[]> => {
  const searches = [
    ...(await usersOf(engine, container)).flatMap((user) => [
      insideProcesses(engine, container, user),
      insideFiles(engine, container, user),
    ]),
    engineInspect(engine, container),
    hostArguments,
  ];
  const found: Found[] = [];
  for (const search of searches) found.push(...(await search(texts)));
  return texts.map((wanted) => {
    const own = found.filter(({ text }) => text === wanted).map(({ where, detail }) => ({ where, detail }));
    return [...new Map(own.map((finding) => [`${finding.where} ${finding.detail}`, finding])).values()];
  });
};
