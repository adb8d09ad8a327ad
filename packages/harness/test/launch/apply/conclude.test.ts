import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stubPrograms } from '@doompi-sandbox/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { concludeSession, type EndedSession } from '../../../src/launch/apply/conclude.ts';
import { openLifeline } from '../../../src/sessions/lifeline.ts';
import { engineOf } from '../../helpers/engine.ts';

const ID = '0123456789ab';

/** A session whose lifeline is still connected after its engine client has ended with exit status 5. */
const heldSession = async (docker: string): Promise<EndedSession> => {
  const stubs = await stubPrograms({ docker });
  const engine = engineOf({ file: join(stubs.directory, 'docker'), environment: {} });
  const lifeline = await openLifeline(undefined);
  lifeline.accept(new PassThrough());
  onTestFinished(async () => {
    await lifeline[Symbol.asyncDispose]();
    await stubs.dispose();
  });
  const interruption = {
    signal: new AbortController().signal,
    first: undefined,
    abortedBy: undefined,
    deliverTo: () => {},
    [Symbol.dispose]: () => {},
  };
  return { sessionId: 's', engine, status: { exitCode: 5 }, interruption, lifeline };
};

describe('a lifeline that is still connected when the client has ended', () => {
  it("is no agent that still runs when the engine has no container any more: a tunnel's exec may hang for a while", async () => {
    expect(await concludeSession(await heldSession('true'))).toBe(5);
  });

  it('is one when the engine has its container, which is removed', async () => {
    const state = JSON.stringify([
      { Id: ID, State: { Status: 'running' }, Config: { Labels: { 'doompi.sandbox.session': 's' } } },
    ]);
    const session = await heldSession(`
      case "$2" in
        ls) echo ${ID} ;;
        inspect) echo '${state}' ;;
        rm) echo ${ID} ;;
      esac`);
    await expect(concludeSession(session)).rejects.toMatchObject({ code: 'LAUNCH_CLIENT_ENDED' });
  });
});
