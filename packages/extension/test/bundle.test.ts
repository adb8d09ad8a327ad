import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { extensionEntryPath } from '../src/index.ts';
import { world } from './helpers/pi.ts';
import { fakeUpstream } from './helpers/upstream.ts';

describe('the built extension', () => {
  it('is one small file that imports node: modules only', async () => {
    await using pi = await world();
    const directory = join(pi.directory, 'dist');
    expect((await readdir(directory)).toSorted()).toEqual(['index.js', 'pi.js']);
    const file = join(directory, 'pi.js');
    const imports = [...(await readFile(file, 'utf8')).matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map(
      ([, name]) => name,
    );
    expect(new Set(imports)).toEqual(new Set(['node:fs', 'node:path', 'node:process']));
    const { size } = await stat(file);
    console.log(`pi.js: ${size} bytes`);
    expect(size).toBeLessThan(12_000);
  });

  it('loads in Pi 1.6 and looks for the session where the contract says', async () => {
    await using pi = await world();
    await using upstream = await fakeUpstream();
    const { status, stderr } = await pi.pi({
      args: ['-e', join(pi.directory, 'dist/pi.js'), '-p', '/doom-sandbox'],
      env: { DOOMPI_SANDBOX: '1', HTTPS_PROXY: `http://127.0.0.1:${upstream.port}` },
    });
    expect(status).toBe(0);
    expect(stderr).toContain('Unclear: DOOMPI_SANDBOX=1 is set, but /run/doompi/session cannot be used (ENOENT');
  });

  it('extensionEntryPath is where the build puts it', () => {
    expect(extensionEntryPath()).toBe(join(import.meta.dirname, '..', 'dist', 'pi.js'));
  });
});
