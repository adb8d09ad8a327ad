import { expect, it } from 'vitest';
import { Resources } from '../src/resources.ts';

it('resources unwind in reverse, all of them, and tell every failure', async () => {
  const order: string[] = [];
  const resources = new Resources();
  resources.defer(() => void order.push('first'));
  resources.defer(() => {
    order.push('second');
    throw new Error('two');
  });
  resources.defer(async () => {
    order.push('third');
    throw new Error('three');
  });
  await expect(resources[Symbol.asyncDispose]()).rejects.toMatchObject({ errors: [new Error('three'), new Error('two')] });
  expect(order).toEqual(['third', 'second', 'first']);
});
