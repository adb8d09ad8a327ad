import { PROXY_VARIABLES } from './proxy.ts';
import type { LaunchPlan } from './plan.ts';

/** A variable of the container. */
export interface PreviewVariable {
  readonly name: string;
  /**
   * `sandbox`: set by the launcher, or taken from the host because everybody's is; `host`: taken from the host as named with `--env`;
   * `token`: a session token in place of a key; `unset`: named so that the engine's own configuration cannot set it.
   */
  readonly source: 'sandbox' | 'host' | 'token' | 'unset';
  /** Null when it is not shown. */
  readonly value: string | null;
}

/** Allowed into the container, and yet good for something in the hands of who reads a plan in a bug report. */
const NOT_SHOWN = new Set(['ELICITATION_SESSION_ID']);

const PROXIES = new Set(PROXY_VARIABLES.filter((name) => !/^no_proxy$/i.test(name)));

/** Some proxies take a token in the path or query of their address. */
const isBareAddress = (value: string): boolean => /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#@]+\/?$/i.test(value);

const shown = (name: string, value: string): boolean => !NOT_SHOWN.has(name) && (!PROXIES.has(name) || isBareAddress(value));

/** The plan's variables by name, with the values that may be printed. */
export const safeEnvironment = ({ run, environment, passed, tokens }: LaunchPlan): PreviewVariable[] =>
  run.environment.map((name) => {
    if (tokens.includes(name)) return { name, source: 'token', value: null };
    if (passed.includes(name)) return { name, source: 'host', value: null };
    const value = environment[name];
    if (value === undefined) return { name, source: 'unset', value: null };
    return { name, source: 'sandbox', value: shown(name, value) ? value : null };
  });
