import { packStandInAgent, type StandInAgent } from '@doompi-sandbox/testkit';
import { afterAll, beforeAll } from 'vitest';

/** Packs the stand-in agent for a file's tests; its command runs its arguments. */
export const useStandIn = (options: { readonly bin?: boolean } = {}): (() => readonly string[]) => {
  let agent: StandInAgent | undefined;
  beforeAll(async () => {
    agent = await packStandInAgent(options);
  });
  afterAll(async () => agent?.[Symbol.asyncDispose]());
  return () => ['--agent', 'doompi', '--agent-package', agent?.tarball ?? '', '--quiet'];
};
