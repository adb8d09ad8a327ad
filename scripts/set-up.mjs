import { setUpThenRun } from './setup/command.mjs';

// node scripts/set-up.mjs [--yes]: what npm test does before the gate.
await setUpThenRun(() => ({ engines: 'every' }));
