import { findProgram } from '../programs.mjs';

/** @typedef {{ answers: true, version: string } | { answers: false, cli: boolean, why: string }} Answer */

/** How long a server may take to answer; the launcher's own deadline. Milliseconds. */
const DEADLINE = 5000;

/** What points the docker CLI at one server, whatever the person's environment says. */
export const dockerEnvironment = (/** @type {string | undefined} */ host) =>
  host === undefined ? {} : { DOCKER_HOST: host, DOCKER_CONTEXT: undefined, DOCKER_TLS_VERIFY: undefined };

/**
 * Whether a docker server answers the docker CLI that is first on PATH. A program of that name proves nothing.
 * @param {Pick<import('../setup.mjs').Context, 'run' | 'env'>} context
 * @param {string} [host] endpoint; default: the one that the CLI takes
 * @returns {Promise<Answer>}
 */
export const askDocker = async ({ run, env }, host) => {
  if (findProgram('docker', env['PATH']) === undefined)
    return { answers: false, cli: false, why: 'there is no docker program on PATH' };
  const answer = await run('docker', ['version', '--format', '{{.Server.Version}}'], {
    timeoutMs: DEADLINE,
    env: dockerEnvironment(host),
  });
  const version = answer.stdout.trim();
  if (answer.ok && version !== '') return { answers: true, version };
  const why = answer.timedOut ? `docker version did not end within ${DEADLINE / 1000} s` : answer.stderr.trim();
  return { answers: false, cli: true, why: why === '' ? `docker version ended with ${answer.exitCode}` : why };
};
