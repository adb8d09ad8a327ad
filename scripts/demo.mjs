import { readFile } from 'node:fs/promises';
import { setUpThenRun } from './setup/command.mjs';

// npm run demo: set-up, then the main job for real. The demo runs the built command.
if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h'))
  process.stdout.write(await readFile(new URL('../demo/help.txt', import.meta.url), 'utf8'));
else await setUpThenRun((args) => ({ args: ['--conditions=@doompi-sandbox/source', 'demo/main.ts', ...args] }));
