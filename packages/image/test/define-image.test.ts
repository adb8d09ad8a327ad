import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LABELS } from '@doompi-sandbox/contract';
import { type TemporaryDirectory, temporaryDirectory, testCertificates } from '@doompi-sandbox/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENTS, defineImage, type ImageDefinition, type ImageOptions } from '../src/index.ts';
import { npmTarball } from './helpers/npm-tarball.ts';

let directory: TemporaryDirectory;
let bundles: NonNullable<ImageOptions['bundles']>;

beforeAll(async () => {
  directory = await temporaryDirectory();
  bundles = { bridge: join(directory.path, 'bridge.js'), extension: join(directory.path, 'extension.js') };
  await writeFile(bundles.bridge, 'bridge');
  await writeFile(bundles.extension, 'extension');
});
afterAll(() => directory.dispose());

const define = (options: Partial<ImageOptions> = {}): Promise<ImageDefinition> =>
  defineImage({ environment: {}, bundles, ...options });

const text = (definition: ImageDefinition, path: string): string =>
  Buffer.from(definition.files.find((file) => file.path === path)?.content ?? []).toString('utf8');

describe('defineImage', () => {
  it('describes the pinned Pi', async () => {
    const definition = await define();
    expect(definition).toMatchObject({ agent: AGENTS.pi, agentVersion: '1.6.0', baseImage: 'node:24-bookworm-slim' });
    expect(definition.reference).toBe(`doompi-sandbox:v1.6.0-${definition.digest.slice(0, 12)}`);
    expect(definition.labels[LABELS.agent]).toBe('pi');
    expect(definition.labels[LABELS.version]).toMatch(/^\d+\.\d+\.\d+/);
    expect(text(definition, 'root/bridge.mjs')).toBe('bridge');
    expect(text(definition, 'root/extension.mjs')).toBe('extension');
    expect(JSON.parse(text(definition, 'root/settings.json'))).toEqual({ extensions: ['/opt/doompi/extension.mjs'] });
    expect(definition.files.find(({ path }) => path === 'root/bin/pi')?.mode).toBe(0o755);
  });

  it('pins Pi by a lockfile with integrity and without a registry, at the version that it names', async () => {
    const definition = await define();
    const lock = JSON.parse(text(definition, 'agent/package-lock.json')) as {
      packages: Record<string, { version?: string; integrity?: string; resolved?: string }>;
    };
    expect(lock.packages[`node_modules/${AGENTS.pi.package}`]?.version).toBe(AGENTS.pi.version);
    const entries = Object.entries(lock.packages).filter(([path]) => path !== '');
    expect(entries.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
    expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(definition.containerfile).toContain('"npm","ci","--ignore-scripts"');
  });

  it('gives the same reference for the same inputs, and another one for each other input', async () => {
    const certificates = await testCertificates();
    const first = await npmTarball(directory.path, 'first.tgz', { name: 'a', version: '1.0.0' });
    const second = await npmTarball(directory.path, 'second.tgz', { name: 'a', version: '1.0.0', description: 'other bytes' });
    const otherBundle = join(directory.path, 'other.js');
    await writeFile(otherBundle, 'bridge!');
    const variants: Partial<ImageOptions>[] = [
      {},
      { baseImage: 'node:24-trixie-slim' },
      { agentPackage: `${AGENTS.pi.package}@1.6.0` },
      { agentPackage: `${AGENTS.pi.package}@1.5.0` },
      { agentPackage: first },
      { agentPackage: second },
      { agentPackage: first, agent: 'doompi' },
      { bundles: { ...bundles, bridge: otherBundle } },
      { bundles: { ...bundles, extension: otherBundle } },
      { environment: { NODE_EXTRA_CA_CERTS: certificates.caFile } },
    ];
    const references = await Promise.all(variants.map(async (variant) => (await define(variant)).reference));
    expect(new Set(references).size).toBe(variants.length);
    expect(await Promise.all(variants.map(async (variant) => (await define(variant)).reference))).toEqual(references);
    await certificates.dispose();
  });

  it('writes each host certificate to a file of its own', async () => {
    const certificates = await testCertificates();
    const both = { NODE_EXTRA_CA_CERTS: certificates.caFile, SSL_CERT_FILE: certificates.caFile };
    const definition = await define({ environment: both });
    const files = definition.files.filter(({ path }) => path.startsWith('certificates/'));
    expect(files.map(({ path }) => path)).toEqual([expect.stringMatching(/^certificates\/doompi-[0-9a-f]{16}\.crt$/)]);
    expect(text(definition, files[0]?.path ?? '')).toBe(certificates.ca);
    await certificates.dispose();
  });

  it('takes blank for default', async () => {
    expect((await define({ baseImage: ' ', agentPackage: ' ' })).reference).toBe((await define()).reference);
  });

  it('refuses the agent that has no pinned package, and says what to do', async () => {
    const defining = define({ agent: 'doompi' });
    await expect(defining).rejects.toMatchObject({ code: 'IMAGE_AGENT_UNPINNED', details: { agent: 'doompi' } });
    await expect(defining).rejects.toThrow(/DOOMPI_SANDBOX_AGENT_PACKAGE=@agimon-ai\/doompi@/);
  });

  it.each([
    ['@agimon-ai/doompi@1.2.3-beta.1', '1.2.3-beta.1'],
    ['doompi', 'latest'],
    ['doompi@next', 'next'],
  ])('installs the spec %s from the registry', async (agentPackage, version) => {
    const definition = await define({ agent: 'doompi', agentPackage });
    expect(definition.agentVersion).toBe(version);
    expect(definition.containerfile).toContain(`"--",${JSON.stringify(agentPackage)}]`);
    expect(definition.files.map(({ path }) => path)).not.toContain('agent/package-lock.json');
  });

  it('copies a tarball into the context, relative to the working directory', async () => {
    const file = await npmTarball(directory.path, 'agent.tgz', { name: 'a', version: '3.2.1' });
    const definition = await define({ agent: 'doompi', agentPackage: './agent.tgz', workingDirectory: directory.path });
    expect(definition.reference).toMatch(/^doompi-sandbox:v3\.2\.1-/);
    expect(definition.files.find(({ path }) => path === 'agent/package.tgz')?.content).toEqual(await readFile(file));
    expect(definition.containerfile).toContain('"--","./package.tgz"]');
    await expect(define({ agentPackage: './agent.tgz' })).rejects.toThrow(TypeError);
  });

  it.each([
    ['git+ssh://host/repository', /no package of the registry/],
    ['https://host/a.zip', /no package of the registry/],
    ['--registry=x', /no package of the registry/],
    ['a@1; echo', /no package of the registry/],
    ['/nonexistent/agent.tgz', /cannot be read/],
  ])('refuses the agent package %s', async (agentPackage, reason) => {
    const defining = define({ agentPackage });
    await expect(defining).rejects.toMatchObject({ code: 'IMAGE_AGENT_PACKAGE_INVALID', details: { agentPackage } });
    await expect(defining).rejects.toThrow(reason);
  });

  it('refuses a file that is no package', async () => {
    const file = join(directory.path, 'text.tgz');
    await writeFile(file, 'text');
    await expect(define({ agentPackage: file })).rejects.toThrow(/not a tarball of an npm package/);
  });

  it('names a bundle that was not built', async () => {
    const missing = join(directory.path, 'missing.js');
    await expect(define({ bundles: { ...bundles, bridge: missing } })).rejects.toMatchObject({
      code: 'IMAGE_BUNDLE_MISSING',
      details: { file: missing },
    });
  });

  it.each(['-x', 'a b', 'a\nRUN evil'])('refuses the base image %j', async (baseImage) => {
    await expect(define({ baseImage })).rejects.toThrow(TypeError);
  });

  it('uses the built files of bridge and extension by default', async () => {
    const definition = await defineImage({ environment: {} });
    const built = (name: string): Promise<string> => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');
    expect(text(definition, 'root/bridge.mjs')).toBe(await built('bridge/dist/entry.js'));
    expect(text(definition, 'root/extension.mjs')).toBe(await built('extension/dist/pi.js'));
  });
});
