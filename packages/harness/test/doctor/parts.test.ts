import { describe, expect, it } from 'vitest';
import { credentialFacts, judgeCredentials } from '../../src/doctor/credentials.ts';
import { errorFinding } from '../../src/doctor/finding.ts';
import { hostFacts, judgeHost, subordinateIds } from '../../src/doctor/host.ts';
import { judgeImage, type ImageFacts } from '../../src/doctor/image.ts';
import { judgeTerminal, terminalFacts } from '../../src/doctor/terminal.ts';
import { LaunchError } from '../../src/index.ts';
import { parseSettings } from '../../src/launch/settings/settings.ts';

const codes = (findings: readonly { readonly severity: string; readonly code: string }[]): string[] =>
  findings.map(({ severity, code }) => `${severity} ${code}`);

describe('the terminal', () => {
  const on = (streams: object, environment: Record<string, string>) =>
    terminalFacts({ stdinIsTerminal: true, stdoutIsTerminal: true, size: { columns: 80, rows: 24 }, ...streams }, environment);

  it.each([
    [{}, { TERM: 'xterm-256color' }, []],
    [{ stdinIsTerminal: false }, { TERM: 'xterm' }, ['ok terminal-missing']],
    [{ stdoutIsTerminal: false, size: undefined }, { TERM: 'xterm' }, ['ok terminal-missing']],
    [{}, {}, ['warning terminal-unknown']],
    [{}, { TERM: 'dumb' }, ['warning terminal-unknown']],
  ])('%j with %j', (streams, environment, expected) => {
    expect(codes(judgeTerminal(on(streams, environment)))).toEqual(expected);
  });

  it.each([
    [{}, 'none'],
    [{ TERM: 'dumb' }, 'none'],
    [{ TERM: 'xterm' }, '16'],
    [{ TERM: 'tmux-256color' }, '256'],
    [{ TERM: 'xterm', COLORTERM: 'truecolor' }, 'truecolor'],
    [{ TERM: 'xterm-direct' }, 'truecolor'],
    [{ TERM: 'xterm', COLORTERM: 'truecolor', NO_COLOR: '1' }, 'none'],
    [{ TERM: 'xterm', NO_COLOR: '' }, '16'],
  ])('%j has %s colours', (environment, expected) => {
    expect(on({}, environment as Record<string, string>).colours).toBe(expected);
  });

  it('has a size only where it has one', () => {
    expect(on({}, {})).toMatchObject({ columns: 80, rows: 24, term: null });
    expect(on({ size: undefined }, { TERM: 'xterm' })).toMatchObject({ columns: null, rows: null, term: 'xterm' });
  });
});

describe('keys', () => {
  const judged = (environment: Record<string, string>, options = {}) => {
    const facts = credentialFacts(parseSettings(options, environment), environment);
    return { facts, codes: codes(judgeCredentials(facts)) };
  };

  it('are told by name, those that can be brokered alone', () => {
    const found = judged({ ANTHROPIC_API_KEY: 'sk-canary', STRIPE_API_KEY: 'sk-canary' });
    expect(found.codes).toEqual([]);
    expect(JSON.stringify(found)).toMatch(/ANTHROPIC_API_KEY/);
    expect(JSON.stringify(found)).not.toMatch(/canary|STRIPE/);
  });

  it('missing, or not brokered, are a warning', () => {
    expect(judged({}).codes).toEqual(['warning credentials-missing']);
    expect(judged({ ANTHROPIC_API_KEY: 'k' }, { broker: false }).codes).toEqual(['warning broker-disabled']);
  });

  it('that cannot be sent end a diagnosis of them as they end a launch, without their value', () => {
    expect(() => judged({ ANTHROPIC_API_KEY: 'sk\ncanary' })).toThrow(
      expect.objectContaining({ code: 'BROKER_CREDENTIAL_INVALID', message: expect.not.stringContaining('canary') as string }),
    );
  });
});

describe('the image', () => {
  const facts = (part: Partial<ImageFacts>): ImageFacts => ({
    reference: 'r',
    baseImage: 'b',
    agent: 'pi',
    agentVersion: '1',
    present: true,
    id: 'sha256:1',
    createdAt: '2026-01-01T00:00:00Z',
    ageDays: 0,
    sizeBytes: 1,
    basePresent: null,
    ...part,
  });

  it.each([
    [{ ageDays: 30 }, []],
    [{ ageDays: 31 }, ['warning image-outdated']],
    [{ ageDays: null }, []],
    [{ present: false, ageDays: null, basePresent: true }, ['ok image-missing']],
    [{ present: false, ageDays: null, basePresent: false }, ['ok image-missing', 'warning base-image-missing']],
    [{ present: null, ageDays: null }, []],
  ])('%j', (part, expected) => {
    expect(codes(judgeImage(facts(part)))).toEqual(expected);
  });
});

describe('the host', () => {
  const system = {
    platform: 'linux',
    arch: 'x64',
    kernel: '6',
    nodeVersion: '24.0.0',
    uid: 1000,
    gid: 100,
    userName: 'me',
  } as const;

  it.each([
    ['', 0],
    ['me:100000:65536\nyou:1:5\n', 65536],
    ['me:100000:65536\n1000:300000:10', 65546],
    ['me:x:65536\nme:1\n# me:1:1\nme:1:-5', 0],
  ])('subordinate ids of %j', (text, expected) => {
    expect(subordinateIds(text, 'me', 1000)).toBe(expected);
  });

  it('of a user without a name, no line without a name counts', () => {
    expect(subordinateIds(':1:5\nundefined:1:5\n', undefined, 1000)).toBe(0);
  });

  it('inside a sandbox, or on another system, starts no session', async () => {
    expect(codes(judgeHost(await hostFacts(system, {})))).toEqual([]);
    expect(codes(judgeHost(await hostFacts(system, { DOOMPI_SANDBOX: '1' })))).toEqual(['error LAUNCH_NESTED']);
    expect(codes(judgeHost(await hostFacts({ ...system, platform: 'darwin' }, {})))).toEqual([
      'error LAUNCH_PLATFORM_UNSUPPORTED',
    ]);
  });
});

describe('a part that fails', () => {
  it('has the code and the advice of the error, where it is ours', () => {
    const error = new LaunchError('LAUNCH_NESTED', 'inside', { marker: 'x' });
    expect(errorFinding('error', 'host', error)).toMatchObject({
      code: 'LAUNCH_NESTED',
      advice: expect.stringMatching(/./) as string,
    });
  });

  it.each([new Error('odd'), Object.assign(new Error('odd'), { code: 'ENOENT' }), 'odd'])('is told otherwise: %s', (failure) => {
    expect(errorFinding('error', 'image', failure)).toMatchObject({
      code: 'part-failed',
      text: 'image could not be found out: odd',
    });
  });
});
