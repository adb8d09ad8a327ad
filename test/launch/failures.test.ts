import { readdir } from 'node:fs/promises';
import { stubPrograms, temporaryDirectory, waitFor, within } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { sandbox, startSandbox } from '../helpers/sandbox.ts';

const VERSION = JSON.stringify({
  Client: { Version: '28.2.2', ApiVersion: '1.41' },
  Server: {
    Version: '20.10.24',
    ApiVersion: '1.41',
    Os: 'linux',
    Arch: 'amd64',
    Platform: { Name: '' },
    Components: [{ Name: 'Engine' }],
  },
});

/** A docker whose server answers, that holds the base image only, and whose builder does what the test wants. */
const docker = (build: string): string => `
case "$1 $2" in
  "version --format") echo '${VERSION}' ;;
  "image inspect") echo "Error: No such image: $3" >&2; exit 1 ;;
  "build "*) ${build} ;;
  *) echo "unexpected: $*" >&2; exit 64 ;;
esac
`;

interface Place extends AsyncDisposable {
  readonly repository: string;
  readonly temporary: string;
  readonly environment: Record<string, string>;
}

/** Directories and a PATH of one test; nothing outside is used. */
const place = async (programs: Readonly<Record<string, string>>): Promise<Place> => {
  const repository = await temporaryDirectory();
  const temporary = await temporaryDirectory();
  const cache = await temporaryDirectory();
  const stubs = await stubPrograms(programs);
  const environment = { PATH: `${stubs.directory}:/usr/bin:/bin`, TMPDIR: temporary.path, XDG_CACHE_HOME: cache.path };
  return {
    repository: repository.path,
    temporary: temporary.path,
    environment,
    [Symbol.asyncDispose]: async () => {
      for (const resource of [repository, temporary, cache, stubs]) await resource.dispose();
    },
  };
};

it('a daemon that is down is named with its endpoint, with status 125', async () => {
  await using here = await place({});
  const environment = { ...here.environment, PATH: process.env['PATH'] ?? '', DOCKER_HOST: `unix://${here.temporary}/none.sock` };
  const result = await sandbox(['--engine', 'docker'], { cwd: here.repository, environment });
  expect(result.exitCode).toBe(125);
  expect(result.stderr).toContain(`${here.temporary}/none.sock`);
  expect(result.stdout).toBe('');
});

it('a failed build ends with 125 and the last lines of the builder', async () => {
  await using here = await place({ docker: docker('echo "Step 1/9"; echo "no space left on device" >&2; exit 3') });
  const result = await sandbox(['--quiet'], { cwd: here.repository, environment: here.environment });
  expect(result.exitCode, result.stderr).toBe(125);
  expect(result.stderr).toMatch(/exit status 3/);
  expect(result.stderr).toContain('no space left on device');
  expect(await readdir(here.temporary)).toEqual([]);
});

it('B21: a builder that reports success without an image is found out', async () => {
  await using here = await place({ docker: docker('exit 0') });
  const result = await sandbox(['--quiet'], { cwd: here.repository, environment: here.environment });
  expect(result.exitCode, result.stderr).toBe(125);
  expect(result.stderr).toMatch(/does not hold doompi-sandbox:v/);
});

it('INT during a build ends the launch with 130 and leaves nothing', async () => {
  await using here = await place({ docker: docker('echo building; exec sleep 60') });
  const running = startSandbox([], { cwd: here.repository, environment: here.environment });
  let stderr = '';
  running.child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await waitFor(() => stderr.includes('doompi-sandbox: building\n'), { timeoutMs: 20_000, what: 'the build' });
  running.child.kill('SIGINT');
  await within(running.closed, { timeoutMs: 10_000, what: 'the launcher to end' });
  expect(running.child.exitCode, stderr).toBe(130);
  expect(await readdir(here.temporary)).toEqual([]);
});
