import { ask, type AskOptions } from './ask.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { JsonObject } from '../command/json.ts';
import { textOf, textsOf } from '../command/json.ts';
import { parseReport } from './probe.ts';
import { isPlain, serverInformation } from './server-information.ts';

/** What `GET /info` tells and `docker version` does not. */
export interface DockerServerFacts {
  /** Names only, such as `seccomp`, `rootless`, `userns`, `selinux`. */
  readonly securityOptions: readonly string[];
  readonly operatingSystem: string;
}

/** Names of the security options, which are spelled `name=seccomp,profile=default`. */
export const securityOptionNames = (information: JsonObject): string[] =>
  textsOf(information['SecurityOptions']).map((option) => /(?:^|,)name=([^,]*)/.exec(option)?.[1] ?? option);

/** Information about the server: straight from it where that is possible, else through docker's command. */
export const dockerInformation = async (
  endpoint: Endpoint,
  { file, environment, signal }: AskOptions & { readonly file: string },
): Promise<JsonObject> => {
  if (isPlain(endpoint)) return serverInformation(endpoint, signal);
  const answer = await ask(file, ['info', '--format', '{{json .}}'], { environment, signal });
  const information = parseReport(answer);
  // The command prints what it knows of itself, and no server's id, when the server does not answer.
  if (answer.exitCode !== 0 || information === undefined || textOf(information['ID']) === '')
    throw new Error('docker info gives no information about the server');
  return information;
};

export const dockerServerFacts = async (
  endpoint: Endpoint,
  options: AskOptions & { readonly file: string },
): Promise<DockerServerFacts> => {
  const information = await dockerInformation(endpoint, options);
  return {
    securityOptions: securityOptionNames(information),
    operatingSystem: textOf(information['OperatingSystem']),
  };
};
