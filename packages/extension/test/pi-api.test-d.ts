import type {
  ExtensionAPI,
  ExtensionCommandContext,
  ExtensionContext as PiContext,
  ExtensionFactory,
} from '@earendil-works/pi-coding-agent';
import { expectTypeOf, test } from 'vitest';
import type { DefaultSandboxExtensionService, ExtensionApi, ExtensionContext, SandboxExtensionResult } from '../src/index.ts';
import activate, { activateSandboxExtension } from '../src/pi.ts';

test('the real Pi fits our part of its interface', () => {
  expectTypeOf<ExtensionAPI>().toExtend<ExtensionApi>();
  expectTypeOf<PiContext>().toExtend<ExtensionContext>();
  expectTypeOf<ExtensionCommandContext>().toExtend<ExtensionContext>();
});

test('Pi takes the extension', () => {
  expectTypeOf(activate).toExtend<ExtensionFactory>();
  expectTypeOf(activateSandboxExtension).toEqualTypeOf<typeof activate>();
});

test('the service answers with a message and a level', () => {
  expectTypeOf<DefaultSandboxExtensionService['execute']>().returns.resolves.toEqualTypeOf<SandboxExtensionResult>();
});
