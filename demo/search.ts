import { readdir, readFile } from 'node:fs/promises';
import type { Engine } from '@doompi-sandbox/engine';
import { engineOutput } from './engine.ts';

/** Where a text was found. Never the text itself. */
export interface Finding {
  readonly where: 'container environment' | 'container process' | 'container file' | 'engine inspect' | 'host argv';
  readonly detail: string;
}

/**
 * Prints each process' environment and arguments inside, then the files that hold the pattern on stdin. The pattern comes through a
 * pipe, so that the search itself does not bring it into an environment or an argument.
 */
const PROCESSES =
  'for f in /proc/[0-9]*/environ /proc/[0-9]*/cmdline; do printf "\\n%s\\n" "$f"; tr "\\0" "\\n" < "$f" 2>/dev/null; done';
const FILES = ['grep', '-rlsFf', '-', '--devices=skip', '--exclude-dir=proc', '--exclude-dir=sys', '--exclude-dir=dev', '/'];

const insideProcesses = async (engine: Engine, container: string, text: string): Promise<Finding[]> => {
  const output = await engineOutput(engine, ['exec', '--user', '0', container, 'sh', '-c', PROCESSES]);
  return output
    .split('\n/proc/')
    .filter((section) => section.includes(text))
    .map((section) => {
      const file = section.slice(0, section.indexOf('\n'));
      return {
        where: file.includes('environ') ? 'container environment' : 'container process',
        detail: `/proc/${file}`,
      } as const;
    });
};

const insideFiles = async (engine: Engine, container: string, text: string): Promise<Finding[]> => {
  // Status 1 is grep's "found nothing"; any other failure stays one.
  const command = ['sh', '-c', `${FILES.map((word) => `'${word}'`).join(' ')}; s=$?; [ "$s" -le 1 ] || [ "$s" -eq 2 ]`];
  const output = await engineOutput(engine, ['exec', '--interactive', '--user', '0', container, ...command], `${text}\n`);
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((detail) => ({ where: 'container file', detail }));
};

const engineInspect = async (engine: Engine, container: string, text: string): Promise<Finding[]> => {
  const output = await engineOutput(engine, ['container', 'inspect', container]);
  return output.includes(text) ? [{ where: 'engine inspect', detail: 'container inspect' }] : [];
};

const hostArguments = async (text: string): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(text)) findings.push({ where: 'host argv', detail: `${command.split('\0')[0]} (pid ${pid})` });
  }
  return findings;
};

/** Looks for a text in everything that the container holds and in what others can see of it. */
export const searchFor = async (engine: Engine, container: string, text: string): Promise<readonly Finding[]> => [
  ...(await insideProcesses(engine, container, text)),
  ...(await insideFiles(engine, container, text)),
  ...(await engineInspect(engine, container, text)),
  ...(await hostArguments(text)),
];
