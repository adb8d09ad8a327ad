import { setUpThenRun } from './setup/command.mjs';

// npm test: set-up with every engine, then the gate.
await setUpThenRun((args) => ({ engines: 'every', args: ['scripts/check.mjs', ...args] }));
