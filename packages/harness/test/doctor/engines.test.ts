import { EngineError, type Engine, type EngineDetails, type EngineFinding } from '@doompi-sandbox/engine';
import { describe, expect, it } from 'vitest';
import { chooseEngine, engineCandidates, judgeEngines, judgeRuntime } from '../../src/doctor/engines.ts';
import { engineOf } from '../helpers/engine.ts';

const engine = (name: Engine['name']): Engine =>
  engineOf({ name, file: `/usr/bin/${name}`, endpoint: undefined, endpointSource: undefined, environment: { SECRET: 'canary' } });

const working = (candidate: Engine['name'], name = candidate): EngineFinding => ({
  candidate,
  outcome: 'working',
  file: `/usr/bin/${candidate}`,
  engine: engine(name),
});

const dead = (candidate: Engine['name']): EngineFinding => ({
  candidate,
  outcome: 'unusable',
  file: `/usr/bin/${candidate}`,
  error: new EngineError('ENGINE_UNSUPPORTED', `${candidate} cannot be used`, {
    engine: candidate,
    file: `/usr/bin/${candidate}`,
    reason: 'why',
  }),
});

const absent = (candidate: Engine['name']): EngineFinding => ({ candidate, outcome: 'absent' });

const nobody = { uid: 0, subordinateIds: null };

interface Case {
  readonly title: string;
  readonly survey: readonly EngineFinding[];
  readonly override?: string;
  readonly outcomes: readonly string[];
  readonly findings: readonly (readonly [severity: string, code: string])[];
}

const CASES: readonly Case[] = [
  {
    title: 'the first that works is taken, later ones are not worth a word',
    survey: [working('docker'), working('podman'), absent('nerdctl'), dead('finch')],
    outcomes: ['taken', 'usable', 'absent', 'unusable'],
    findings: [],
  },
  {
    title: 'one that fails before it is',
    survey: [dead('docker'), working('podman')],
    outcomes: ['unusable', 'taken'],
    findings: [['warning', 'ENGINE_UNSUPPORTED']],
  },
  {
    title: 'without any, each that fails is an error',
    survey: [dead('docker'), dead('podman'), absent('finch')],
    outcomes: ['unusable', 'unusable', 'absent'],
    findings: [
      ['error', 'ENGINE_UNSUPPORTED'],
      ['error', 'ENGINE_UNSUPPORTED'],
    ],
  },
  {
    title: 'nothing on PATH',
    survey: [absent('docker'), absent('podman')],
    outcomes: ['absent', 'absent'],
    findings: [['error', 'ENGINE_NOT_FOUND']],
  },
  {
    title: 'the one that was asked for fails: no other is taken',
    survey: [dead('docker'), working('podman')],
    override: 'docker',
    outcomes: ['unusable', 'usable'],
    findings: [['error', 'ENGINE_UNSUPPORTED']],
  },
  {
    title: 'the one that was asked for works: what is dead does not matter',
    survey: [dead('docker'), working('podman')],
    override: 'podman',
    outcomes: ['unusable', 'taken'],
    findings: [],
  },
  {
    title: 'no engine has the name that was asked for',
    survey: [working('docker')],
    override: 'rkt',
    outcomes: ['usable'],
    findings: [['error', 'ENGINE_UNKNOWN']],
  },
];

describe('a runtime', () => {
  const details = (...runtimes: string[]): EngineDetails => ({
    operatingSystem: undefined,
    kernelVersion: undefined,
    cgroupVersion: undefined,
    storageDriver: undefined,
    runtimes,
    defaultRuntime: undefined,
    securityOptions: [],
    builder: 'legacy',
  });

  it.each([
    ['docker', 'runsc', details('runc', 'runsc'), []],
    ['docker', 'runsc', details('runc'), ['error runtime-missing']],
    ['docker', undefined, details('runc'), []],
    ['docker', 'runsc', details(), []],
    ['docker', 'runsc', undefined, []],
    ['podman', 'runsc', details('crun'), []],
  ] as const)('of %s, asked for as %s, with %j', (name, runtime, known, expected) => {
    const found = judgeRuntime(engine(name), known, runtime);
    expect(found.map(({ severity, code }) => `${severity} ${code}`)).toEqual(expected);
  });
});

describe('a survey', () => {
  it.each(CASES)('$title', ({ survey, override, outcomes, findings }) => {
    const choice = chooseEngine(survey, override);
    expect(engineCandidates(choice).map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(judgeEngines(choice, nobody).map(({ severity, code }) => [severity, code])).toEqual(findings);
    expect(JSON.stringify(engineCandidates(choice))).not.toContain('canary');
  });

  it('says why each was not taken, and which engine a command under another name is', () => {
    const choice = chooseEngine([working('docker', 'podman'), working('podman'), dead('nerdctl'), absent('finch')], undefined);
    expect(engineCandidates(choice)).toMatchObject([
      { candidate: 'docker', outcome: 'taken', reason: null, engine: { name: 'podman' } },
      { candidate: 'podman', reason: 'docker comes before it' },
      { candidate: 'nerdctl', reason: 'nerdctl cannot be used', code: 'ENGINE_UNSUPPORTED', engine: null },
      { candidate: 'finch', reason: 'not on PATH', file: null },
    ]);
    const asked = chooseEngine([working('docker'), working('podman')], 'podman');
    expect(engineCandidates(asked)[0]?.reason).toBe('podman was asked for');
  });

  it.each([
    [1000, 0, true],
    [1000, 65536, false],
    [1000, null, false],
    [0, 0, false],
  ])('user %i with %s subordinate ids and podman: a warning is %s', (uid, subordinateIds, expected) => {
    const judge = (survey: readonly EngineFinding[]): boolean =>
      judgeEngines(chooseEngine(survey, undefined), { uid, subordinateIds }).some(
        ({ code }) => code === 'subordinate-ids-missing',
      );
    expect(judge([working('podman')])).toBe(expected);
    expect(judge([working('docker'), absent('podman')])).toBe(false);
  });
});
