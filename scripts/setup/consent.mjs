import { createInterface } from 'node:readline/promises';
import { Refusal } from './failure.mjs';

/**
 * `part` names a piece of the intention that is done later, if at all: it is then not asked for again.
 * @typedef {(intention: string, part?: string) => Promise<void>} Consent
 */

/**
 * Says what will be done to the machine and asks. `CI` or `--yes` goes on without asking; without a terminal nobody can be asked, so it stops.
 * @param {object} setting
 * @param {boolean} setting.yes
 * @param {Readonly<Record<string, string | undefined>>} setting.env
 * @param {NodeJS.ReadStream} setting.input
 * @param {NodeJS.WriteStream} setting.output
 * @param {import('./report.mjs').Report} setting.report
 * @param {AbortSignal} setting.signal
 * @returns {Consent}
 */
export const createConsent = ({ yes, env, input, output, report, signal }) => {
  /** @type {Set<string>} */
  const granted = new Set();
  return async (intention, part) => {
    if (part !== undefined && granted.has(part)) return;
    if (part !== undefined) granted.add(part);
    const ci = (env['CI'] ?? '') !== '';
    if (yes || ci) {
      report.note(`${yes ? '--yes is given' : 'CI is set'}, so set-up goes on to ${intention}`);
      return;
    }
    if (!input.isTTY || !output.isTTY)
      throw new Refusal(`Set-up would ${intention}, and there is no terminal to ask on`, {
        next: 'Run it again with --yes (npm run demo -- --yes, npm test -- --yes), or on a terminal.',
      });
    const resume = report.pause();
    const terminal = createInterface({ input, output });
    try {
      const answer = await terminal.question(`? Set-up will ${intention}. Go on? [y/N] `, { signal });
      if (!/^y(es)?$/i.test(answer.trim()))
        throw new Refusal('Stopped, as you answered', { next: 'Nothing was installed or started.' });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw error;
    } finally {
      terminal.close();
      resume();
    }
  };
};
