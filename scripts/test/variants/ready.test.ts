import { stubPrograms } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { Interrupted, Refusal, SetupFailure } from '../../setup/failure.mjs';
import type { VariantPlan } from '../../setup/variants/plan.mjs';
import { makeReady } from '../../setup/variants/ready.mjs';
import { testContext } from '../context.ts';

const nothing: VariantPlan = { id: 'podman', install: [], createUser: false, openTun: false, start: false };
const needsPackage: VariantPlan = { ...nothing, id: 'docker-gvisor', install: ['runsc'], start: true };

const refuse = async (): Promise<void> => {
  throw new Refusal('Stopped, as you answered');
};

describe('what the test engines need', () => {
  it('S15: is not installed when the person says no, who keeps the engines that need nothing', async () => {
    await using stubs = await stubPrograms({ 'apt-get': '', dpkg: '' });
    const plans = await makeReady({ ...testContext(stubs.path), consent: refuse }, [nothing, needsPackage]);
    expect(plans).toEqual([nothing, { ...needsPackage, unavailable: 'set-up was not allowed to prepare it' }]);
    expect(await stubs.calls('apt-get')).toEqual([]);
  });

  it('is installed after one question', async () => {
    await using stubs = await stubPrograms({ 'apt-get': '', dpkg: '' });
    const context = testContext(stubs.path);
    expect(await makeReady(context, [nothing, needsPackage])).toEqual([nothing, needsPackage]);
    expect(context.asked).toEqual([
      'install the Debian packages runsc, start the test engines docker-gvisor (for tests on every engine)',
    ]);
    expect((await stubs.calls('apt-get')).map((args) => args.at(-1))).toEqual(['runsc']);
  });

  it('asks nobody when it is there', async () => {
    const context = testContext('/nonexistent');
    await makeReady(context, [nothing]);
    expect(context.asked).toEqual([]);
  });

  it('makes one engine unavailable when it cannot be installed', async () => {
    await using stubs = await stubPrograms({ 'apt-get': 'echo "E: Unable to locate package runsc" >&2; exit 100', dpkg: '' });
    const [, plan] = await makeReady(testContext(stubs.path), [nothing, needsPackage]);
    expect(plan?.unavailable).toBe('apt-get could not install runsc');
  });

  it('is no matter any more when set-up ends for another reason', async () => {
    const stop = new AbortController();
    const context = {
      ...testContext('/nonexistent'),
      signal: stop.signal,
      consent: async (): Promise<void> => {
        stop.abort(new Interrupted('SIGINT'));
        throw new SetupFailure('a program was ended');
      },
    };
    await expect(makeReady(context, [needsPackage])).rejects.toThrow('interrupted by SIGINT');
  });
});
