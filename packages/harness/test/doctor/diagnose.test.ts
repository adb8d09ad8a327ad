import { scratchRepository, stubPrograms } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { diagnose, type Diagnosis } from '../../src/index.ts';

const system = {
  platform: 'linux',
  arch: 'x64',
  kernel: '6',
  nodeVersion: '24.0.0',
  uid: 1000,
  gid: 100,
  userName: 'me',
  stdinIsTerminal: true,
  stdoutIsTerminal: true,
  size: undefined,
} as const;

const diagnosed = async (environment: Record<string, string>, options = {}): Promise<Diagnosis> => {
  await using repository = await scratchRepository();
  await using stubs = await stubPrograms({});
  return diagnose(
    { repoRoot: repository.path, cwd: repository.path, environment: { PATH: stubs.path, ...environment }, system },
    { defaultAgent: 'pi', ...options },
  );
};

const severities = ({ findings }: { readonly findings: Diagnosis['host']['findings'] }): string[] =>
  findings.map(({ severity, code }) => `${severity} ${code}`);

it('on a machine without an engine everything else is told', async () => {
  const found = await diagnosed({ TERM: 'xterm', ANTHROPIC_API_KEY: 'k' });
  expect(found).toMatchObject({
    version: 1,
    ready: false,
    transport: { facts: null },
    image: { facts: { present: null } },
    credentials: { facts: { credentials: [{ variable: 'ANTHROPIC_API_KEY' }] } },
    repository: { facts: { git: 'repository' } },
    host: { facts: { node: '24.0.0', insideSandbox: false } },
  });
  expect(severities(found.engines)).toEqual(['error ENGINE_NOT_FOUND']);
  expect(JSON.parse(JSON.stringify(found))).toEqual(found);
});

it('a key that cannot be used, a package that is none and a mistake in the settings are each told in their place', async () => {
  const found = await diagnosed({ ANTHROPIC_API_KEY: 'a\nb', DOOMPI_SANDBOX_BROKER: 'maybe' }, { env: [], baseImage: '--x' });
  expect(severities(found.settings)).toEqual(['error LAUNCH_SETTINGS_INVALID', 'error LAUNCH_SETTINGS_INVALID']);
  expect(severities(found.credentials)).toEqual(['error BROKER_CREDENTIAL_INVALID']);
  const packaged = await diagnosed({}, { agentPackage: './none.tgz' });
  expect(packaged.image).toMatchObject({ facts: null });
  expect(severities(packaged.image)).toEqual(['error IMAGE_AGENT_PACKAGE_INVALID']);
});
