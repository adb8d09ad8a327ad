import { describe, expect, it } from 'vitest';
import { isLaunchError } from '../../../src/index.ts';
import { parseSettings, type LauncherOptions } from '../../../src/launch/settings/settings.ts';

const problems = (options: LauncherOptions, environment: Record<string, string> = {}): readonly string[] => {
  try {
    parseSettings(options, environment);
  } catch (failure) {
    if (isLaunchError(failure, 'LAUNCH_SETTINGS_INVALID')) return failure.details.problems;
    throw failure;
  }
  return [];
};

describe('settings', () => {
  it('have defaults', () => {
    expect(parseSettings({}, {})).toEqual({
      agent: 'doompi',
      agentPackage: undefined,
      baseImage: undefined,
      engine: undefined,
      transport: 'auto',
      runtime: undefined,
      broker: true,
      passVariables: [],
      upstreams: {},
      devcontainerOff: false,
    });
  });

  it('come from the environment, where blank means unset', () => {
    const environment = {
      DOOMPI_SANDBOX_AGENT: 'pi',
      DOOMPI_SANDBOX_AGENT_PACKAGE: ' ./agent.tgz ',
      DOOMPI_SANDBOX_BASE_IMAGE: ' ',
      DOOMPI_SANDBOX_ENGINE: 'docker',
      DOOMPI_SANDBOX_TRANSPORT: 'tunnel',
      DOOMPI_SANDBOX_RUNTIME: 'runsc',
      DOOMPI_SANDBOX_BROKER: '0',
      DOOMPI_SANDBOX_DEVCONTAINER: '0',
    };
    expect(parseSettings({}, environment)).toMatchObject({
      agent: 'pi',
      agentPackage: './agent.tgz',
      baseImage: undefined,
      engine: 'docker',
      transport: 'tunnel',
      runtime: 'runsc',
      broker: false,
      devcontainerOff: true,
    });
  });

  it('given as options win', () => {
    const environment = {
      DOOMPI_SANDBOX_AGENT: 'doompi',
      DOOMPI_SANDBOX_BROKER: '0',
      DOOMPI_SANDBOX_ENGINE: 'podman',
      DOOMPI_SANDBOX_TRANSPORT: 'tcp',
    };
    expect(parseSettings({ agent: 'pi', broker: true, engine: 'docker', transport: 'auto' }, environment)).toMatchObject({
      transport: 'auto',
      agent: 'pi',
      broker: true,
      engine: 'docker',
    });
  });

  it.each([
    [{ agent: 'other' }, {}, /agent must be pi or doompi/],
    [{ passVariables: ['A=b'] }, {}, /name only/],
    [{ passVariables: ['A B'] }, {}, /not a variable name/],
    [{ passVariables: ['PATH'] }, {}, /belongs to the sandbox/],
    [{ passVariables: ['DOOMPI_SANDBOX'] }, {}, /belongs to the sandbox/],
    [{ upstreams: { anthropic: 'nowhere' } }, {}, /not a URL/],
    [{ upstreams: { nosuch: 'https://x' } }, {}, /no provider that can be brokered/],
    [{ upstreams: { anthropic: 'ftp://x' } }, {}, /must use https/],
    [{ upstreams: { anthropic: 'http://example.com' } }, {}, /plain http is for loopback only/],
    [{ baseImage: 'a b' }, {}, /base image must be an image reference/],
    [{}, { DOOMPI_SANDBOX_BASE_IMAGE: '--pull' }, /base image must be an image reference/],
    [{ upstreams: { anthropic: 'https://u:p@x' } }, {}, /must not hold/],
    [{ transport: 'pigeon' }, {}, /transport must be one of auto, socket, tcp, tunnel/],
    [{}, { DOOMPI_SANDBOX_TRANSPORT: 'unix' }, /transport must be one of auto, socket, tcp, tunnel/],
    [{ runtime: '--privileged' }, {}, /not the name of a runtime/],
    [{}, { DOOMPI_SANDBOX_BROKER: 'no' }, /DOOMPI_SANDBOX_BROKER must be 0 or 1/],
    [{}, { DOOMPI_SANDBOX_RUN_FLAGS: '--privileged' }, /DOOMPI_SANDBOX_RUN_FLAGS/],
  ])('refuse %j with %j', (options, environment, message) => {
    expect(problems(options, environment as Record<string, string>).join('\n')).toMatch(message);
  });

  it('name every mistake at once', () => {
    expect(problems({ agent: 'x', passVariables: ['PATH'], upstreams: { a: 'b' } }, { DOOMPI_SANDBOX_BROKER: '2' })).toHaveLength(
      4,
    );
  });

  it('never repeat a value that was given with --env', () => {
    expect(problems({ passVariables: ['KEY=sk-secret'] }).join()).not.toContain('sk-secret');
  });
});
