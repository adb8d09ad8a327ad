import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runProgram } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

const page = await readFile(path('docs/messages.md'), 'utf8');

it.each([
  ['docs/messages.md', 'scripts/generate-messages.mjs'],
  ['docs/engines.md', 'scripts/generate-engines.mjs'],
])('%s is what the tables say', async (_, script) => {
  const check = await runProgram(process.execPath, [path(script), '--check'], { cwd: path('.') });
  expect(check, check.stderr).toMatchObject({ exitCode: 0 });
});

it('docs/messages.md has the codes of every package', () => {
  const codes = [...page.matchAll(/^### `([\w-]+)`$/gm)].map(([, code]) => code ?? '');
  for (const code of ['CLI_USAGE', 'LAUNCH_NESTED', 'ENGINE_UNREACHABLE', 'IMAGE_BUILD_FAILED', 'BROKER_CLOSED'])
    expect(codes).toContain(code);
  for (const code of ['BRIDGE_AGENT_NOT_FOUND', 'brokering', 'path_not_allowed', 'image-outdated']) expect(codes).toContain(code);
});
