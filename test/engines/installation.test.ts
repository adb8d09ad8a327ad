import { stat } from 'node:fs/promises';
import { engineVariant, installForUsers, runOnVariant } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';

it('the built command runs for a user who may not look into the clone', async ({ skip }) => {
  const variant = await engineVariant('podman-rootless');
  if (typeof variant === 'string') return skip(variant);
  const { node, bin, directory } = await installForUsers();
  expect((await stat(directory)).mode & 0o777).toBe(0o755);
  const version = await runOnVariant(variant, node, [bin, '--version']);
  expect(version).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as unknown });
  const files = await runOnVariant(variant, 'find', [directory, '!', '-readable']);
  expect(files).toMatchObject({ exitCode: 0, stdout: '' });
});
