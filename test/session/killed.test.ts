import { startModelServer, temporaryDirectory, waitFor } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { failedSince, KEY, startCallingAgent } from '../helpers/calling-agent.ts';
import { execClients, nameOf } from '../helpers/clients.ts';
import { containersOf, sessionRepository } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const agent = useStandIn();

/** `auto` is the mounted socket here. `failures`: how many calls at least must have failed before the agent was ended. */
describe.each([
  { transport: 'auto', failures: 10 },
  { transport: 'tunnel', failures: 0 },
  { transport: 'tcp', failures: 0 },
])('a session over the transport $transport', ({ transport, failures }) => {
  it.each([
    ['the launcher', false],
    ['the launcher and its whole process group', true],
  ])('B56: after kill -9 of %s the container is gone within 15 s and no provider call succeeds', async (_what, group) => {
    await using server = await startModelServer({ key: KEY });
    await using repository = await sessionRepository();
    await using temporary = await temporaryDirectory();
    const { running, calls } = await startCallingAgent({
      options: [...agent(), '--transport', transport],
      server,
      repository: repository.path,
      temporary: temporary.path,
    });
    const name = await nameOf(repository.path);
    process.kill(group ? -running.pid : running.pid, 'SIGKILL');
    await running.closed;
    const before = server.requests.length;
    await waitFor(async () => (await containersOf(repository.path)).length === 0, {
      timeoutMs: 15_000,
      what: 'the container to be gone',
    });
    expect(server.requests.length).toBe(before);
    expect(failedSince(await calls()), 'failed calls after the last success').toBeGreaterThan(failures);
    await waitFor(async () => (await execClients(name)).length === 0, { what: 'the client of the tunnel to be gone' });
  });
});
