import { ask } from './ask.ts';
import { clientEnvironment } from '../command/client-environment.ts';
import { assertTrustedConfiguration } from '../endpoint/configuration.ts';
import type { Engine } from '../engine.ts';
import { isObject, type JsonObject, textOf } from '../command/json.ts';
import { tooOld } from './minimum-versions.ts';
import { parseReport, type ProbeEngine } from './probe.ts';
import { isSelinuxEnforcing } from './selinux.ts';
import { unreachable } from './unreachable.ts';
import { unsupported } from './unsupported.ts';

const containerdVersion = (report: JsonObject): string | undefined => {
  const server = isObject(report['Server']) ? report['Server'] : {};
  const components = Array.isArray(server['Components']) ? server['Components'].filter(isObject) : [];
  const containerd = components.find((component) => component['Name'] === 'containerd');
  return containerd === undefined ? undefined : textOf(containerd['Version']).replace(/^v/, '');
};

/** Asks a `nerdctl` command for containerd (docs/command-reference.md, "nerdctl version"). */
export const probeNerdctl: ProbeEngine = async (file, options) => {
  assertTrustedConfiguration('nerdctl', options.environment, options.exclude);
  const environment = clientEnvironment(options.environment, options.exclude);
  const answer = await ask(file, ['version', '--format', '{{json .}}'], { environment, signal: options.signal });
  const report = parseReport(answer);
  const client = report?.['Client'];
  if (report === undefined || !isObject(client)) {
    if (answer.exitCode !== 0) throw unreachable({ engine: 'nerdctl', file, stderr: answer.stderr });
    throw unsupported('nerdctl', file, 'this nerdctl command does not report its version as nerdctl does');
  }
  const clientVersion = textOf(client['Version']).replace(/^v/, '');
  const reason = tooOld('nerdctl', 'command', clientVersion);
  if (reason !== undefined) throw unsupported('nerdctl', file, reason);
  const serverVersion = containerdVersion(report);
  // It prints its own version also when containerd does not answer.
  if (answer.exitCode !== 0 || serverVersion === undefined) throw unreachable({ engine: 'nerdctl', file, stderr: answer.stderr });
  return {
    name: 'nerdctl',
    file,
    clientVersion,
    serverVersion,
    apiVersion: '',
    platform: { os: textOf(client['Os']), architecture: textOf(client['Arch']) },
    rootless: options.uid !== undefined && options.uid !== 0,
    usernsRemap: false,
    location: 'native',
    endpoint: undefined,
    endpointSource: undefined,
    selinux: await isSelinuxEnforcing(),
    environment,
  } satisfies Engine;
};
