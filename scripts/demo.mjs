import { setUpThenRun } from './setup/command.mjs';

// npm run demo: set-up, then the main job for real. Sources run as they are; no build is between an edit and the demo.
await setUpThenRun((args) => ({ args: ['--conditions=@doompi-sandbox/source', 'demo/main.ts', ...args] }));
