import { readFile } from 'node:fs/promises';
import { setUpThenRun } from './setup/command.mjs';
import { optionValue } from './setup/option.mjs';

// npm run demo: set-up for the engine that it runs on, then the main job for real. The demo runs the built command.
if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h'))
  process.stdout.write(await readFile(new URL('../demo/help.txt', import.meta.url), 'utf8'));
else
  await setUpThenRun((args) => ({
    engines: optionValue(args, 'engine') ?? (process.env['DOOMPI_SANDBOX_ENGINE'] || 'docker'),
    args: ['--conditions=@doompi-sandbox/source', 'demo/main.ts', ...args],
  }));
