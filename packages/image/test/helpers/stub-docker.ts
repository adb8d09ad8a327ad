import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '@doompi-sandbox/engine';
import { type StubPrograms, stubPrograms } from '@doompi-sandbox/testkit';
import type { ImageDefinition } from '../../src/index.ts';
import { AGENTS } from '../../src/index.ts';

export interface StubDocker extends AsyncDisposable {
  readonly engine: Engine;
  /** Directory where the stub keeps a file per image it "holds". */
  readonly directory: string;
  /** Arguments of its `build` commands so far. */
  builds(): Promise<readonly (readonly string[])[]>;
  /** Contexts of its builds that still exist. */
  contexts(): Promise<string[]>;
}

/**
 * A `docker` that holds the images for which `<directory>/<reference>` exists, on linux/<architecture>.
 * `build` is shell text that sees `$reference` and `$image`, the file that makes the image present; `absence` are its words for an
 * image that is not there.
 */
export const stubDocker = async (
  build: string,
  architecture = 'amd64',
  buildx = false,
  absence = 'Error: No such image: %s',
): Promise<StubDocker> => {
  const script = `
here=$(dirname "$0")
case "$1 $2" in
  'image inspect')
    if [ -e "$here/$3" ]; then
      printf '[{"Id":"sha256:stub","Os":"linux","Architecture":"${architecture}","Config":{}}]'
    else
      printf '[]\\n'; printf '${absence}\\n' "$3" >&2; exit 1
    fi ;;
  'pull base:1') exit 0 ;;
  'buildx version') exit ${buildx ? 0 : 1} ;;
  build*)
    reference=$3
    image=$here/$3
    ${build}
    ;;
  *) echo "unexpected: $*" >&2; exit 64 ;;
esac`;
  const stubs: StubPrograms = await stubPrograms({ docker: script });
  const builds = async (): Promise<(readonly string[])[]> => (await stubs.calls('docker')).filter(([verb]) => verb === 'build');
  return {
    engine: {
      name: 'docker',
      file: join(stubs.directory, 'docker'),
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
      environment: { PATH: '/usr/bin:/bin' },
    },
    directory: stubs.directory,
    builds,
    contexts: async () => (await builds()).map((args) => args.at(-1) ?? '').filter((context) => existsSync(context)),
    [Symbol.asyncDispose]: () => stubs.dispose(),
  };
};

/** A definition that no engine ever reads. */
export const tinyDefinition: ImageDefinition = {
  agent: AGENTS.pi,
  agentVersion: '1.0.0',
  baseImage: 'base:1',
  containerfile: 'FROM base:1\n',
  files: [{ path: 'root/bin/file', mode: 0o755, content: Buffer.from('content') }],
  labels: { a: 'b' },
  digest: '0'.repeat(64),
  reference: 'doompi-sandbox:v1.0.0-000000000000',
};
