import { join } from 'node:path';
import { stubPrograms } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { isEngineError, listContainers, removeContainer } from '../../src/index.ts';
import { stubEngine } from '../helpers/engine.ts';

it('a server that stops answering ends a question about containers at its deadline', async () => {
  await using stubs = await stubPrograms({ docker: 'exec /bin/sleep 60' });
  const engine = stubEngine(join(stubs.directory, 'docker'));
  const timedOut = (error: unknown): boolean => isEngineError(error, 'ENGINE_TIMEOUT');
  await expect(listContainers(engine, { labels: {}, timeoutMs: 200 })).rejects.toSatisfy(timedOut);
  await expect(removeContainer(engine, 'x', { timeoutMs: 200 })).rejects.toSatisfy(timedOut);
});
