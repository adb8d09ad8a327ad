import { expect, it } from 'vitest';
import { ask } from '../../src/doctor/question.ts';

it('an answer, a failure and a question without an answer are three answers', async () => {
  expect(await ask(async () => 42)).toEqual({ facts: 42 });
  const failure = new Error('broken');
  expect(await ask(() => Promise.reject(failure))).toEqual({ failure });
  expect(
    await ask(async () => {
      throw failure;
    }),
  ).toEqual({ failure });
  const started = performance.now();
  expect(await ask(() => new Promise(() => {}), 50)).toEqual({
    failure: expect.objectContaining({ message: 'no answer within 0.05 s' }) as unknown,
  });
  expect(performance.now() - started).toBeLessThan(2000);
});
