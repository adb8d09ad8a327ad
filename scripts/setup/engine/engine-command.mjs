/**
 * How one engine's command is run: as its user, with its environment.
 * @typedef {object} EngineCommand
 * @property {readonly string[]} argv what comes before the engine's own arguments
 * @property {Readonly<Record<string, string | undefined>>} env added to set-up's; undefined takes a variable away
 */

/** The docker that the person's CLI takes. @type {EngineCommand} */
export const DOCKER = { argv: ['docker'], env: {} };

/** podman refuses a working directory that its user may not enter, and a clone may be one. */
export const ENGINE_DIRECTORY = '/';

/**
 * Runs an engine's command, with all arguments of one of its commands.
 * @param {Pick<import('../setup.mjs').Context, 'run'>} context
 * @param {EngineCommand} command
 * @param {readonly string[]} args
 * @param {Omit<import('../run.mjs').RunOptions, 'env' | 'cwd'>} [options]
 */
export const runEngine = ({ run }, { argv: [file = '', ...first], env }, args, options = {}) =>
  run(file, [...first, ...args], { ...options, cwd: ENGINE_DIRECTORY, env });
