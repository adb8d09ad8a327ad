import type { Engine } from '@doompi-sandbox/engine';

/** A rootful docker on this kernel, but for what is given. */
export const engineOf = (given: Partial<Engine> = {}): Engine => ({
  name: 'docker',
  file: '/usr/bin/docker',
  clientVersion: '28.2.2',
  serverVersion: '28.2.2',
  apiVersion: '1.50',
  platform: { os: 'linux', architecture: 'amd64' },
  rootless: false,
  usernsRemap: false,
  location: 'native',
  endpoint: { transport: 'unix', path: '/var/run/docker.sock' },
  endpointSource: 'default',
  selinux: false,
  environment: {},
  ...given,
});
