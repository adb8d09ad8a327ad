import { needRoom } from '../disk.mjs';
import { SetupFailure } from '../failure.mjs';
import { STAND_IN_CONSENT } from '../image/stand-in.mjs';
import { askDocker } from './answer.mjs';
import { aptInstall } from './apt.mjs';
import { gatherFacts } from './facts.mjs';
import { describePlan, planSystem } from './plan.mjs';
import { startDocker } from './start.mjs';

/**
 * A docker server that answers, and the programs that demo and tests call. Says what it will install or start, and asks.
 * @param {import('../setup.mjs').Context} context
 */
export const ensureEngine = async (context) => {
  const { report, consent } = context;
  const facts = await gatherFacts(context);
  const plan = planSystem(facts);
  if (plan.install.length === 0 && facts.docker.answers) {
    report.skip(`engine: docker ${facts.docker.version} answers`);
    return;
  }
  if (!facts.docker.answers) report.note(`engine: ${facts.docker.why.split('\n')[0]}`);
  const intention = describePlan(plan);
  const standIn = facts.docker.answers ? '' : ', and install mmdebstrap for a stand-in base image where no registry answers';
  if (intention !== '') await consent(intention + standIn, standIn === '' ? undefined : STAND_IN_CONSENT);
  if (plan.install.length > 0) {
    await needRoom('/usr', 600, 'Debian packages');
    await aptInstall(context, plan.install);
  }
  const { start } = plan;
  if (start === 'none') return;
  await needRoom('/var/lib/docker', 2500, 'images below /var/lib/docker');
  await report.step(
    'engine: starting docker',
    async () => {
      // The package starts its service itself where there is an init system.
      const answer = await askDocker(context);
      if (answer.answers) return answer.version;
      if (!answer.cli) throw new SetupFailure('There is still no docker program on PATH', { next: 'Install the docker CLI.' });
      return await startDocker(context, start);
    },
    (version) => `engine: docker ${version} answers`,
  );
};
