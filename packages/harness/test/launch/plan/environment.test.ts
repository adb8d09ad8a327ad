import { describe, expect, it } from 'vitest';
import { isAllowedVariable, planEnvironment, type EnvironmentInput } from '../../../src/launch/plan/environment.ts';

const plan = (environment: Record<string, string>, input: Partial<EnvironmentInput> = {}) =>
  planEnvironment({
    agent: 'pi',
    passVariables: [],
    credentialVariables: new Set(['ANTHROPIC_API_KEY']),
    providers: [],
    socket: true,
    ...input,
    environment,
  });

const ALLOWED = `TERM COLORTERM COLORFGBG TERM_PROGRAM TERM_PROGRAM_VERSION TERMINAL_EMULATOR KITTY_WINDOW_ID WEZTERM_PANE
  ITERM_SESSION_ID WT_SESSION WARP_SESSION_ID WARP_TERMINAL_SESSION_UUID ALACRITTY_WINDOW_ID ORCA_IMAGE_PROTOCOL
  ZELLIJ NO_COLOR FORCE_COLOR LANG LANGUAGE LC_ALL LC_CTYPE TZ PI_OFFLINE PI_SKIP_VERSION_CHECK PI_TELEMETRY
  PI_CACHE_RETENTION PI_CLEAR_ON_SHRINK PI_HARDWARE_CURSOR PI_HYPERLINKS PI_IMAGE_PROTOCOL PI_TRUE_COLOR
  PI_PROGRAM_STATUS PI_TUI_ESC_TIMEOUT PI_CODEMODE_MAX_WORKERS PI_TIMING PI_EXPERIMENTAL DOOMPI_PRESET`.split(/\s+/);

const REFUSED = `ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_OAUTH_TOKEN OPENAI_API_KEY GEMINI_API_KEY HF_TOKEN
  STRIPE_API_KEY SENTRY_AUTH_TOKEN NPM_TOKEN GITHUB_TOKEN GH_TOKEN COPILOT_GITHUB_TOKEN ANTHROPIC_BASE_URL
  OPENAI_BASE_URL AZURE_OPENAI_BASE_URL AZURE_OPENAI_RESOURCE_NAME PI_RADIUS_GATEWAY AWS_ACCESS_KEY_ID
  AWS_SECRET_ACCESS_KEY AWS_PROFILE AWS_BEARER_TOKEN_BEDROCK GOOGLE_APPLICATION_CREDENTIALS GCLOUD_PROJECT
  ANTHROPIC_IDENTITY_TOKEN_FILE SSH_AUTH_SOCK SSH_CONNECTION DISPLAY WAYLAND_DISPLAY XAUTHORITY
  DBUS_SESSION_BUS_ADDRESS EDITOR VISUAL PAGER BROWSER PATH NODE_OPTIONS NODE_EXTRA_CA_CERTS LD_PRELOAD
  LD_LIBRARY_PATH BASH_ENV PI_PACKAGE_DIR PI_CODING_AGENT_SESSION_DIR PI_SELF_UPDATE_COMMAND PI_SHARE_VIEWER_URL
  PI_SESSION_ID PI_PROVIDER PI_MODEL PI_REASONING_LEVEL PI_CODING_AGENT AI_AGENT PI_TUI_WRITE_LOG DOCKER_HOST
  HOME USER ELICITATION_SESSION_ID LC_secret XLC_ALL term RANDOM_VARIABLE`.split(/\s+/);

describe('the environment of a session', () => {
  it.each(ALLOWED)('lets %s in, unchanged', (name) => {
    expect(plan({ [name]: 'x y\n"#z ' }).values[name]).toBe('x y\n"#z ');
  });

  it.each(REFUSED)('keeps %s out', (name) => {
    const { values, passed } = plan({ [name]: 'host value' });
    expect(values).not.toHaveProperty(name);
    expect(passed).toEqual([]);
    expect(JSON.stringify(values)).not.toContain('host value');
  });

  it.each(REFUSED)('keeps %s out also when nothing is brokered and when something is', (name) => {
    for (const providers of [[], ['anthropic']])
      expect(plan({ [name]: 'host value' }, { providers }).values).not.toHaveProperty(name);
  });

  it('knows one more name for doompi', () => {
    expect(isAllowedVariable('ELICITATION_SESSION_ID', 'doompi')).toBe(true);
    expect(isAllowedVariable('ELICITATION_SESSION_ID', 'pi')).toBe(false);
  });

  it('keeps an empty value empty and an unset one unset', () => {
    const { values } = plan({ TZ: '' });
    expect(values['TZ']).toBe('');
    expect(values).not.toHaveProperty('LANG');
  });

  it('tells of a multiplexer without naming its socket', () => {
    expect(plan({ TMUX: '/tmp/tmux-0/default,1,0' }).values['TMUX']).toBe('1');
  });

  it('marks the session and, only when brokering, names the broker', () => {
    expect(plan({}).values).toMatchObject({ DOOMPI_SANDBOX: '1' });
    expect(plan({}).values).not.toHaveProperty('DOOMPI_BROKER_PROVIDERS');
    expect(plan({}, { providers: ['anthropic', 'openai'] }).values).toMatchObject({
      DOOMPI_BROKER_PROVIDERS: 'anthropic,openai',
      DOOMPI_BROKER_SOCKET: '/run/doompi/broker.sock',
      DOOMPI_BROKER_PORT: '8317',
    });
  });

  it('passes what the person named, by name, and says so', () => {
    const planned = plan(
      { STRIPE_API_KEY: 'secret', ANTHROPIC_API_KEY: 'key' },
      { passVariables: ['STRIPE_API_KEY', 'ANTHROPIC_API_KEY', 'GONE'] },
    );
    expect(planned.passed).toEqual(['STRIPE_API_KEY', 'ANTHROPIC_API_KEY']);
    expect(JSON.stringify(planned)).not.toMatch(/secret|"key"/);
    expect(planned.notices).toEqual([
      { code: 'variable-passed', variable: 'STRIPE_API_KEY', credential: false },
      { code: 'variable-passed', variable: 'ANTHROPIC_API_KEY', credential: true },
      { code: 'variable-unset', variable: 'GONE' },
    ]);
  });

  it('says that a base URL of the host is dropped', () => {
    expect(plan({ ANTHROPIC_BASE_URL: 'http://x' }).notices).toEqual([
      { code: 'base-url-dropped', variable: 'ANTHROPIC_BASE_URL' },
    ]);
  });
});
