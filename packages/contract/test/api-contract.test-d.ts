import { expectTypeOf, test } from 'vitest';
import { defineApiContract, parseApiContract, sandboxApiContract, type ApiContract } from '../src/index.ts';

test('a definition keeps its literal type and is a contract', () => {
  const contract = defineApiContract({ version: 1, http: [], sockets: [], dynamic: ['x'] });
  expectTypeOf(contract.dynamic).toEqualTypeOf<readonly ['x']>();
  expectTypeOf(contract).toExtend<ApiContract>();
  expectTypeOf(sandboxApiContract).toEqualTypeOf<ApiContract>();
  expectTypeOf(parseApiContract).returns.toEqualTypeOf<ApiContract>();
});

test('a wrong definition does not compile', () => {
  // @ts-expect-error version 2 is not known
  defineApiContract({ version: 2, http: [], sockets: [], dynamic: [] });
  // @ts-expect-error dynamic is missing
  defineApiContract({ version: 1, http: [], sockets: [] });
});
