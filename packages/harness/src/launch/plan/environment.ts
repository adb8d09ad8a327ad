import {
  BROKER_PORT,
  BROKER_PROVIDERS,
  BROKER_SOCKET,
  SANDBOX_MARKER,
  SESSION_DIRECTORY,
  SESSION_ENTRIES,
  BRIDGE_PORT,
} from '@doompi-sandbox/contract';
import type { Notice } from '../../notice.ts';
import { proxyEnvironment } from './proxy.ts';
import type { Environment, Settings } from '../settings/settings.ts';

/** Host variables that enter a container unasked. Every other one stays outside, keys above all. */
const ALLOWED = new Set(
  `TERM COLORTERM COLORFGBG TERM_PROGRAM TERM_PROGRAM_VERSION TERMINAL_EMULATOR NO_COLOR FORCE_COLOR
  KITTY_WINDOW_ID WEZTERM_PANE ITERM_SESSION_ID WT_SESSION WARP_SESSION_ID WARP_TERMINAL_SESSION_UUID
  ALACRITTY_WINDOW_ID ORCA_IMAGE_PROTOCOL ZELLIJ LANG LANGUAGE TZ PI_OFFLINE PI_SKIP_VERSION_CHECK PI_TELEMETRY
  PI_CACHE_RETENTION PI_CLEAR_ON_SHRINK PI_HARDWARE_CURSOR PI_HYPERLINKS PI_IMAGE_PROTOCOL PI_TRUE_COLOR
  PI_PROGRAM_STATUS PI_TUI_ESC_TIMEOUT PI_CODEMODE_MAX_WORKERS PI_TIMING PI_EXPERIMENTAL DOOMPI_PRESET`.split(/\s+/),
);

/** Only the `doompi` agent knows it. */
const DOOMPI_ALLOWED = new Set(['ELICITATION_SESSION_ID']);

/** POSIX locale categories: `LC_ALL`, `LC_CTYPE`, … */
const LOCALE_CATEGORY = /^LC_[A-Z]+$/;

/** Multiplexers: that there is one matters inside, its socket path must not enter. */
const PRESENCE_ONLY = ['TMUX', 'STY'];

/** Whether a host variable enters the container without being asked for. */
export const isAllowedVariable = (name: string, agent: Settings['agent']): boolean =>
  ALLOWED.has(name) || LOCALE_CATEGORY.test(name) || (agent === 'doompi' && DOOMPI_ALLOWED.has(name));

export interface EnvironmentInput {
  readonly environment: Environment;
  readonly agent: Settings['agent'];
  readonly passVariables: readonly string[];
  /** Variables that hold a key which the broker could serve. */
  readonly credentialVariables: ReadonlySet<string>;
  /** Ids of redirected providers; empty when nothing is brokered. */
  readonly providers: readonly string[];
  /** Whether the broker's socket is mounted. */
  readonly socket: boolean;
}

/** The container's environment as a plan: safe values here; the values of `secrets` are known only when the plan is applied. */
export interface EnvironmentPlan {
  /** Values that may be printed. */
  readonly values: Readonly<Record<string, string>>;
  /** Host variables that enter because the person named them; their values are taken from the host when the plan is applied. */
  readonly passed: readonly string[];
  readonly notices: readonly Notice[];
}

const allowedValues = ({ environment, agent }: EnvironmentInput): Record<string, string> => {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && isAllowedVariable(name, agent)) values[name] = value;
  for (const name of PRESENCE_ONLY) if (environment[name] !== undefined && environment[name] !== '') values[name] = '1';
  return values;
};

const brokerValues = ({ providers, socket }: EnvironmentInput): Record<string, string> =>
  providers.length === 0
    ? {}
    : {
        [BROKER_PROVIDERS]: providers.join(','),
        ...(socket ? { [BROKER_SOCKET]: `${SESSION_DIRECTORY}/${SESSION_ENTRIES.broker}` } : {}),
        [BROKER_PORT]: String(BRIDGE_PORT),
      };

/** Decides which variables enter the container. */
export const planEnvironment = (input: EnvironmentInput): EnvironmentPlan => {
  const proxies = proxyEnvironment(input.environment);
  const notices: Notice[] = [...proxies.notices];
  const values = {
    ...allowedValues(input),
    ...proxies.values,
    ...brokerValues(input),
    [SANDBOX_MARKER]: '1',
    PI_CLIPBOARD_OSC52: '1',
  };
  const passed: string[] = [];
  for (const variable of input.passVariables) {
    if (input.environment[variable] === undefined) {
      notices.push({ code: 'variable-unset', variable });
      continue;
    }
    passed.push(variable);
    notices.push({ code: 'variable-passed', variable, credential: input.credentialVariables.has(variable) });
  }
  for (const variable of Object.keys(input.environment).toSorted())
    if (variable.endsWith('_BASE_URL') && !passed.includes(variable)) notices.push({ code: 'base-url-dropped', variable });
  return { values: Object.fromEntries(Object.entries(values).filter(([name]) => !passed.includes(name))), passed, notices };
};
