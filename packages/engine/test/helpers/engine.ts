import { dockerGate } from '@doompi-sandbox/testkit';
import { detectEngine, type Engine } from '../../src/index.ts';

/** Why tests against real docker are skipped here; printed once. */
export const engineSkip: string | undefined = await dockerGate();
if (engineSkip !== undefined) console.warn(`skipped: ${engineSkip}`);

/** An image that every set-up provides. */
export const TEST_IMAGE = 'node:24-bookworm-slim';

export const realEngine = (): Promise<Engine> => detectEngine({ environment: process.env, override: 'docker' });

/** An engine value around a stub command. */
export const stubEngine = (file: string, environment: Record<string, string> = {}): Engine => ({
  name: 'docker',
  file,
  clientVersion: '28.2.2',
  serverVersion: '20.10.24',
  apiVersion: '1.41',
  platform: { os: 'linux', architecture: 'amd64' },
  rootless: false,
  usernsRemap: false,
  location: 'native',
  endpoint: { transport: 'unix', path: '/var/run/docker.sock' },
  endpointSource: 'default',
  selinux: false,
  environment,
});
