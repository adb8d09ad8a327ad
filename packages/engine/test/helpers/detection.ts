import { type StubPrograms, stubPrograms } from '@doompi-sandbox/testkit';
import { onTestFinished } from 'vitest';
import { detectEngine, type DetectEngineOptions, type EngineError, isEngineError } from '../../src/index.ts';

/** Answers of `version`, as the engines print them. */
/** JSON with a client and a server. */
type Report = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const DOCKER: Report = {
  Client: { Version: '28.2.2', ApiVersion: '1.41' },
  Server: { Version: '20.10.24', Os: 'linux', Arch: 'amd64', KernelVersion: '6.1', Components: [{ Name: 'Engine' }] },
};
export const DOCKER_DOWN: unknown = { Client: { Version: '28.2.2', ApiVersion: '1.50' }, Server: null };
export const PODMAN: Report = { Client: { APIVersion: '4.3.1', Version: '4.3.1', OsArch: 'linux/amd64', Os: 'linux' } };
export const NERDCTL: Report = {
  Client: { Version: 'v2.0.2', Os: 'linux', Arch: 'amd64', Components: [{ Name: 'buildctl', Version: 'v0.18.2' }] },
  Server: {
    Components: [
      { Name: 'containerd', Version: 'v2.0.1' },
      { Name: 'runc', Version: '1.2.3' },
    ],
  },
};
export const FINCH = `Client:
 Version:\tv1.4.0
 OS/Arch:\tlinux/amd64
 GitCommit:\tabc
 nerdctl:
  Version:\tv1.7.7
  GitCommit:\tdef
 buildctl:
  Version:\tv0.15.2

Server:
 containerd:
  Version:\tv1.7.22
  GitCommit:\tghi
`;

export const print = (text: string): string => `printf '%s\\n' '${text}'`;

/** A stub whose `version` does this, with a complaint about every other command. */
export const versionStub = (script: string): string =>
  `case "$1" in version) ${script} ;; *) echo "unexpected: $*" >&2; exit 64 ;; esac`;

export const printing = (answer: unknown): string =>
  versionStub(print(typeof answer === 'string' ? answer : JSON.stringify(answer)));

export const silent: string = versionStub('exec /bin/sleep 60');

export const stubs = async (programs: Record<string, string>): Promise<StubPrograms> => {
  const made = await stubPrograms(programs);
  onTestFinished(() => made.dispose());
  return made;
};

export const failure = async (options: DetectEngineOptions): Promise<EngineError> => {
  const error: unknown = await detectEngine(options).then(
    (engine) => engine,
    (reason: unknown) => reason,
  );
  if (!isEngineError(error)) throw new Error('expected an EngineError', { cause: error });
  return error;
};
