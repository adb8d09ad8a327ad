import { expect, it } from 'vitest';
import { ownerLabels, readOwner } from '../../src/sessions/owner.ts';

it('the owner names this very process', async () => {
  const owner = await readOwner(process.pid, 1234);
  expect(owner).toMatchObject({ uid: 1234, pid: process.pid });
  expect(owner.bootId).toMatch(/^[0-9a-f-]{36}$/);
  expect(owner.pidNamespace).toMatch(/^pid:\[\d+\]$/);
  expect(Number(owner.startTime)).toBeGreaterThan(0);
  expect(ownerLabels(owner)['doompi.sandbox.launcher-pid']).toBe(String(process.pid));
});
