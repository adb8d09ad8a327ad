import { join } from 'node:path';

/**
 * Pi's directory for settings and sessions: `PI_CODING_AGENT_DIR`, else `<HOME>/.pi/agent` (Pi 1.6, `getAgentDir`).
 * Undefined when neither is set.
 */
export const agentDirectory = (environment: Readonly<Record<string, string | undefined>>): string | undefined => {
  const { HOME: home, PI_CODING_AGENT_DIR: own } = environment;
  if (own === undefined || own === '') return home === undefined || home === '' ? undefined : join(home, '.pi', 'agent');
  if (home === undefined || (own !== '~' && !own.startsWith('~/'))) return own;
  return join(home, own.slice(1));
};
