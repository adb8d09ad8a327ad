import { expect, it } from 'vitest';
import { brokerable } from '../../../src/launch/facts/facts.ts';
import { parseSettings } from '../../../src/launch/settings/settings.ts';

const brokered = (environment: Record<string, string>, ...passVariables: readonly string[]): readonly string[] =>
  brokerable({ settings: parseSettings({ passVariables }, environment), environment }).map(({ variable }) => variable);

it('a provider whose preferred key is passed in clear is not redirected by another of its keys', () => {
  const both = { ANTHROPIC_AUTH_TOKEN: 'real-token', ANTHROPIC_API_KEY: 'sk-ant-api03-real', OPENAI_API_KEY: 'sk-real' };
  expect(brokered(both)).toEqual(expect.arrayContaining(['ANTHROPIC_AUTH_TOKEN', 'OPENAI_API_KEY']));
  expect(brokered(both, 'ANTHROPIC_AUTH_TOKEN')).toEqual(['OPENAI_API_KEY']);
});

it('a key that the agent would not use takes no provider from the broker when it is passed', () => {
  const both = { ANTHROPIC_AUTH_TOKEN: 'real-token', ANTHROPIC_API_KEY: 'sk-ant-api03-real' };
  expect(brokered(both, 'ANTHROPIC_API_KEY')).toEqual(['ANTHROPIC_AUTH_TOKEN']);
  expect(brokered({ ...both, ANTHROPIC_AUTH_TOKEN: ' ' }, 'ANTHROPIC_API_KEY')).toEqual([]);
});
