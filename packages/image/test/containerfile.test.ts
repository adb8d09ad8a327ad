import { describe, expect, it } from 'vitest';
import { containerfile, type ContainerfileSpec } from '../src/containerfile.ts';

const spec: ContainerfileSpec = {
  baseImage: 'base:1',
  packages: ['curl', 'git'],
  certificates: false,
  install: ['ci', '--ignore-scripts'],
  command: 'pi',
};
const lines = (part: Partial<ContainerfileSpec> = {}): string[] => containerfile({ ...spec, ...part }).split('\n');
const at = (all: readonly string[], pattern: RegExp): number => {
  const index = all.findIndex((line) => pattern.test(line));
  expect(index, `a line like ${pattern}`).toBeGreaterThanOrEqual(0);
  return index;
};

describe('containerfile', () => {
  it('starts from the base image, as root whatever user that has', () => {
    expect(lines().slice(0, 2)).toEqual(['FROM base:1', 'USER root']);
  });

  it('B16: has an init process that starts the bridge', () => {
    expect(lines()).toContain('ENTRYPOINT ["/usr/bin/tini","--","node","/opt/doompi/bridge.mjs"]');
  });

  it('installs the packages without recommended ones', () => {
    expect(lines()[at(lines(), /apt-get.* install /)]).toMatch(/--no-install-recommends curl git &&/);
  });

  it('hands the package name to npm as an argument that no shell reads', () => {
    const step = lines({ install: ['install', '--', 'a@1.0.0 && evil'] }).find((line) => line.includes('evil')) ?? '';
    const words = JSON.parse(step.replace(/^RUN /, '')) as string[];
    expect(words.at(-1)).toBe('a@1.0.0 && evil');
    expect(words.slice(0, 2)).toEqual(['sh', '-c']);
    expect(words[2]).not.toContain('evil');
  });

  it('sets HOME after npm ran, so that its files are not in the home of every session', () => {
    expect(at(lines(), /"npm","ci"/)).toBeLessThan(at(lines(), /^ENV .*HOME=\/doompi-home/));
    expect(lines()[at(lines(), /^ENV .*HOME=/)]).toBe(
      'ENV HOME=/doompi-home PI_CODING_AGENT_DIR=/doompi-home/.pi/agent LANG=C.UTF-8 PATH=/opt/doompi/bin:$PATH',
    );
  });

  it('has nothing about certificates when the host has none', () => {
    expect(containerfile(spec)).not.toMatch(/CERT|CA_|certificates\//);
  });

  it('trusts the host certificates before npm asks the registry', () => {
    const all = lines({ certificates: true });
    const copy = at(all, /^COPY certificates\/ \/usr\/local\/share\/ca-certificates\//);
    const update = at(all, /update-ca-certificates/);
    const variables = at(all, /^ENV NODE_EXTRA_CA_CERTS=\/etc\/ssl\/certs\/ca-certificates\.crt /);
    expect([copy, update, variables, at(all, /"npm","ci"/)]).toEqual(
      [copy, update, variables, at(all, /"npm"/)].toSorted((a, b) => a - b),
    );
    for (const name of ['SSL_CERT_FILE', 'GIT_SSL_CAINFO', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE'])
      expect(all[variables]).toContain(` ${name}=/etc/ssl/certs/ca-certificates.crt`);
  });

  it('needs nothing that the legacy builder does not know', () => {
    expect(containerfile({ ...spec, certificates: true })).not.toMatch(/--chmod|--mount|<<|^# *syntax/m);
  });
});
