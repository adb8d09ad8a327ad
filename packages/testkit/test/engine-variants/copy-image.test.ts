import { describe, expect, it } from 'vitest';
import { copyImage, dockerGate, engineVariant, removeByLabel, runOnVariant, runProgram } from '../../src/index.ts';
import type { EngineVariantId } from '../../src/index.ts';

const name = `doompi-testkit-copy:${process.pid}-${Date.now()}`;
const label = `doompi.sandbox.test=copy-${process.pid}-${Date.now()}`;

/** An image of one empty file. */
const importImage = async (): Promise<void> => {
  const script = 'tar -C /dev -cf - --files-from=/dev/null | docker import --change "LABEL $1" - "$2"';
  const made = await runProgram('sh', ['-c', script, 'import', label, name]);
  expect(made.exitCode, made.stderr).toBe(0);
};

describe.each<EngineVariantId>(['podman', 'podman-rootless', 'docker-rootless'])('copyImage into %s', (id) => {
  it('brings the image once, also when two ask at the same time', async ({ skip }) => {
    const reason = await dockerGate();
    if (reason !== undefined) return skip(reason);
    const variant = await engineVariant(id);
    if (typeof variant === 'string') return skip(variant);
    try {
      await importImage();
      const copies = await Promise.all([copyImage(name, variant), copyImage(name, variant)]);
      expect(copies.filter(({ copied }) => copied)).toHaveLength(1);
      expect((await copyImage(name, variant)).copied).toBe(false);
      const shown = await runOnVariant(variant, variant.engine, [
        'image',
        'inspect',
        '--format',
        '{{json .Config.Labels}}',
        name,
      ]);
      expect(shown.stdout).toContain(label.split('=')[1]);
    } finally {
      await removeByLabel(label, variant);
      await removeByLabel(label);
    }
  });

  it('says which image docker does not have', async ({ skip }) => {
    const reason = await dockerGate();
    if (reason !== undefined) return skip(reason);
    const variant = await engineVariant(id);
    if (typeof variant === 'string') return skip(variant);
    await expect(copyImage('doompi-testkit-none:1', variant)).rejects.toThrow('docker has no image doompi-testkit-none:1');
  });
});
