import { ask } from './ask.ts';
import { clientEnvironment } from '../command/client-environment.ts';
import { assertTrustedConfiguration } from '../endpoint/configuration.ts';
import type { Engine } from '../engine.ts';
import { isObject, type JsonObject, textOf } from '../command/json.ts';
import { tooOld } from './minimum-versions.ts';
import { parseReport, type ProbeEngine, type ProbeOptions } from './probe.ts';
import { isSelinuxEnforcing } from './selinux.ts';
import { unreachable } from './unreachable.ts';
import { unsupported } from './unsupported.ts';

/** Whether a report of `version` is Podman's, which spells it APIVersion. */
export const isPodmanReport = (report: JsonObject | undefined): boolean => {
  const client = report?.['Client'];
  return isObject(client) && typeof client['APIVersion'] === 'string';
};

/**
 * The engine that a report of Podman describes, under whatever name its command goes.
 * @throws EngineError ENGINE_UNSUPPORTED
 */
export const podmanFrom = async (file: string, report: JsonObject, options: ProbeOptions): Promise<Engine> => {
  assertTrustedConfiguration('podman', options.environment, options.exclude);
  const client = isObject(report['Client']) ? report['Client'] : {};
  // On this machine podman starts containers itself and has no server; a server in the report is one somewhere else.
  if (isObject(report['Server'])) {
    const reason =
      'its command talks to a Podman server elsewhere (CONTAINER_HOST or a podman connection); only podman on this machine is driven';
    throw unsupported('podman', file, reason);
  }
  const version = textOf(client['Version']);
  const reason = tooOld('podman', 'command', version);
  if (reason !== undefined) throw unsupported('podman', file, reason);
  const [os = textOf(client['Os']), architecture = ''] = textOf(client['OsArch']).split('/');
  return {
    name: 'podman',
    file,
    clientVersion: version,
    serverVersion: version,
    apiVersion: textOf(client['APIVersion']),
    platform: { os, architecture },
    rootless: options.uid !== undefined && options.uid !== 0,
    usernsRemap: false,
    location: 'native',
    endpoint: undefined,
    endpointSource: undefined,
    selinux: await isSelinuxEnforcing(),
    environment: clientEnvironment(options.environment, options.exclude),
  };
};

/** Asks a `podman` command. `podman info` knows more and costs ten times as much, so it is never asked here. */
export const probePodman: ProbeEngine = async (file, options) => {
  assertTrustedConfiguration('podman', options.environment, options.exclude);
  const environment = clientEnvironment(options.environment, options.exclude);
  const answer = await ask(file, ['version', '--format', 'json'], { environment, signal: options.signal });
  const report = parseReport(answer);
  if (answer.exitCode !== 0) throw unreachable({ engine: 'podman', file, stderr: answer.stderr });
  if (report === undefined || !isPodmanReport(report))
    throw unsupported('podman', file, 'this podman command does not report its version as Podman does');
  return podmanFrom(file, report, options);
};
