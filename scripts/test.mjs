import { setUpThenRun } from './setup/command.mjs';

// npm test: set-up, then the gate.
await setUpThenRun((args) => ({ args: ['scripts/check.mjs', ...args] }));
