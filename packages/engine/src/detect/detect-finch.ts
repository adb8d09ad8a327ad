import { ask } from './ask.ts';
import { clientEnvironment } from '../command/client-environment.ts';
import { assertTrustedConfiguration } from '../endpoint/configuration.ts';
import type { Engine } from '../engine.ts';
import { tooOld } from './minimum-versions.ts';
import type { ProbeEngine } from './probe.ts';
import { isSelinuxEnforcing } from './selinux.ts';
import { unreachable } from './unreachable.ts';
import { unsupported } from './unsupported.ts';

const NOT_FINCH = 'this is another program called finch (Debian has a chat client of that name), not the container engine';

/**
 * Asks a `finch` command. Its `version` prints text (cmd/finch/version.go): a section of the client with version, OS/Arch and
 * nerdctl, and one of the server with containerd; where its virtual machine is stopped, `Finch version:` and a failure.
 */
export const probeFinch: ProbeEngine = async (file, options) => {
  assertTrustedConfiguration('finch', options.environment, options.exclude);
  const environment = clientEnvironment(options.environment, options.exclude);
  const { exitCode, stdout, stderr } = await ask(file, ['version'], { environment, signal: options.signal });
  const clientVersion = /^Client:\s+Version:\s+v?(\S+)/m.exec(stdout)?.[1];
  if (clientVersion === undefined || !/^ nerdctl:/m.test(stdout)) {
    if (/^Finch version:/m.test(stdout) || /VM is not running|nerdctl/.test(stderr))
      throw unreachable({ engine: 'finch', file, stderr });
    throw unsupported('finch', file, NOT_FINCH);
  }
  const reason = tooOld('finch', 'command', clientVersion);
  if (reason !== undefined) throw unsupported('finch', file, reason);
  const serverVersion = /^ containerd:\s+Version:\s+v?(\S+)/m.exec(stdout)?.[1];
  if (exitCode !== 0 || serverVersion === undefined) throw unreachable({ engine: 'finch', file, stderr });
  const [, os = '', architecture = ''] = /^ OS\/Arch:\s+([^/\s]+)\/(\S+)/m.exec(stdout) ?? [];
  // On macOS and Windows containers are in Finch's own virtual machine, whose nerdctl gives the platform.
  const native = options.platform === 'linux';
  return {
    name: 'finch',
    file,
    clientVersion,
    serverVersion,
    apiVersion: '',
    platform: { os, architecture },
    rootless: false,
    usernsRemap: false,
    location: native ? 'native' : 'vm',
    endpoint: undefined,
    endpointSource: undefined,
    selinux: native && (await isSelinuxEnforcing()),
    environment,
  } satisfies Engine;
};
