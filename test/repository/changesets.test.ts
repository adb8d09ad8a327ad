import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram, temporaryDirectory } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestsBelow = async (root: string): Promise<Map<string, Manifest>> => {
  const folders = ['.', ...(await readdir(join(root, 'packages'))).map((name) => `packages/${name}`)];
  const texts = await Promise.all(folders.map((folder) => readFile(join(root, folder, 'package.json'), 'utf8')));
  return new Map(texts.map((text) => JSON.parse(text) as Manifest).map((manifest) => [manifest.name, manifest]));
};

/** Manifests at one version, and changesets' configuration: all that `changeset version` reads. */
const copyManifests = async (target: string, version: string): Promise<void> => {
  const copyAt = async (file: string): Promise<void> => {
    const manifest = JSON.parse(await readFile(join(ROOT, file), 'utf8')) as Manifest;
    await writeFile(join(target, file), JSON.stringify({ ...manifest, version }));
  };
  await mkdir(join(target, '.changeset'), { recursive: true });
  await copyAt('package.json');
  for (const file of ['pnpm-workspace.yaml', 'pnpm-lock.yaml', '.changeset/config.json'])
    await cp(join(ROOT, file), join(target, file));
  for (const name of await readdir(join(ROOT, 'packages'))) {
    await mkdir(join(target, 'packages', name), { recursive: true });
    await copyAt(join('packages', name, 'package.json'));
  }
};

const dependents = (manifests: ReadonlyMap<string, Manifest>, name: string, found = new Set<string>()): Set<string> => {
  for (const { name: candidate, dependencies = {} } of manifests.values()) {
    if (!(name in dependencies) || found.has(candidate)) continue;
    found.add(candidate);
    dependents(manifests, candidate, found);
  }
  return found;
};

/** Versions after `changeset version` with one changeset, by package. */
const versionsAfter = async (
  name: string,
  bump: string,
  version: string,
): Promise<{ before: Map<string, Manifest>; raised: readonly string[] }> => {
  await using directory = await temporaryDirectory();
  await copyManifests(directory.path, version);
  await writeFile(join(directory.path, '.changeset/one.md'), `---\n'${name}': ${bump}\n---\n\nOne change.\n`);
  const before = await manifestsBelow(directory.path);
  const changeset = join(ROOT, 'node_modules/.bin/changeset');
  const result = await runProgram(changeset, ['version'], { cwd: directory.path });
  expect(result).toMatchObject({ exitCode: 0 });
  const after = await manifestsBelow(directory.path);
  const raised = [...after.values()].filter((manifest) => manifest.version !== before.get(manifest.name)?.version);
  return { before, raised: raised.map((manifest) => manifest.name).toSorted() };
};

describe('a changeset', () => {
  it.each([
    ['patch', '0.0.0'],
    ['minor', '0.0.0'],
    ['patch', '0.1.0'],
    ['minor', '0.1.0'],
    ['patch', '1.2.3'],
    ['major', '1.2.3'],
  ])('for broker alone (%s, at %s) raises broker and what depends on it, nothing else', async (bump, version) => {
    const { before, raised } = await versionsAfter('@doompi-sandbox/broker', bump, version);
    const expected = ['@doompi-sandbox/broker', ...dependents(before, '@doompi-sandbox/broker')].toSorted();
    expect(expected).toContain('@doompi-sandbox/harness');
    expect(expected).not.toContain('@doompi-sandbox/engine');
    expect(raised).toEqual(expected);
  });

  it('never publishes testkit', async () => {
    const testkit = (await manifestsBelow(ROOT)).get('@doompi-sandbox/testkit');
    expect(testkit?.private).toBe(true);
  });
});
