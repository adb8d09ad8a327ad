import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { LABELS } from '@doompi-sandbox/contract';
import {
  capture,
  type CaptureResult,
  detectBuilder,
  detectEngine,
  type Engine,
  inspectImage,
  runArguments,
  type RunSpec,
} from '@doompi-sandbox/engine';
import {
  dockerGate,
  removeByLabel,
  type TemporaryDirectory,
  temporaryDirectory,
  type TestCertificates,
  testCertificates,
} from '@doompi-sandbox/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_BASE_IMAGE, defineImage, type EnsuredImage, ensureImage, type ImageDefinition } from '../src/index.ts';
import { npmTarball } from './helpers/npm-tarball.ts';

const skip = await dockerGate();
if (skip !== undefined) console.warn(`skipped: ${skip}`);

const LABEL = 'doompi.sandbox.test';
const VALUE = `image-${process.pid}`;
const MINUTES = 60_000;

/** The person's own certificates, without which the registry cannot be reached here, and a private CA of this test. */
const environmentWith = async (ca: string, file: string): Promise<Record<string, string | undefined>> => {
  const own = process.env['NODE_EXTRA_CA_CERTS'] ?? process.env['SSL_CERT_FILE'];
  await writeFile(file, `${own === undefined || own === '' ? '' : await readFile(own, 'utf8')}\n${ca}`);
  return { ...process.env, NODE_EXTRA_CA_CERTS: file, SSL_CERT_FILE: undefined };
};

const forTest = (definition: ImageDefinition): ImageDefinition => ({
  ...definition,
  labels: { ...definition.labels, [LABEL]: VALUE },
});

describe.skipIf(skip !== undefined)('on real docker', () => {
  let engine: Engine;
  let directory: TemporaryDirectory;
  let certificates: TestCertificates;
  let environment: Record<string, string | undefined>;
  let definition: ImageDefinition;
  let image: EnsuredImage;

  const spec = (command: readonly string[], part: Partial<RunSpec> = {}): RunSpec => ({
    image: image.reference,
    command: ['-c', ...command],
    interactive: false,
    tty: false,
    labels: { [LABEL]: VALUE },
    mounts: [],
    environment: [],
    workdir: '/',
    network: 'none',
    pull: 'never',
    flags: ['--entrypoint', '/bin/sh'],
    ...part,
  });
  const inside = (script: string, part?: Partial<RunSpec>): Promise<CaptureResult> =>
    capture(engine, runArguments(spec([script], part), engine));

  beforeAll(async () => {
    engine = await detectEngine({ environment: process.env, override: 'docker' });
    directory = await temporaryDirectory();
    certificates = await testCertificates();
    environment = await environmentWith(certificates.ca, join(directory.path, 'host.pem'));
    definition = forTest(await defineImage({ environment }));
    image = await ensureImage(engine, definition, { lockDirectory: join(directory.path, 'locks') });
  }, 5 * MINUTES);

  afterAll(async () => {
    // By name, so that the legacy builder's intermediate images go too; they cannot be removed before the image on top.
    const args = ['image', 'ls', '--format', '{{.Repository}}:{{.Tag}}', '--filter', `label=${LABEL}=${VALUE}`];
    const references = (await capture(engine, args)).stdout.split('\n').filter((line) => line !== '');
    await capture(engine, ['image', 'rm', ...references]);
    await removeByLabel(`${LABEL}=${VALUE}`);
    await certificates.dispose();
    await directory.dispose();
  }, MINUTES);

  it('was built, and is found the next time', async () => {
    expect(image).toMatchObject({ reference: definition.reference, built: true });
    const again = await ensureImage(engine, definition, { lockDirectory: join(directory.path, 'locks') });
    expect(again).toEqual({ ...image, built: false });
  });

  it('carries labels, entrypoint and environment', async () => {
    const found = await inspectImage(engine, image.reference);
    expect(found?.labels).toMatchObject({ [LABELS.agent]: 'pi', [LABELS.version]: definition.labels[LABELS.version] });
    expect(found?.entrypoint).toEqual(['/usr/bin/tini', '--', 'node', '/opt/doompi/bridge.mjs']);
    expect(found?.environment).toEqual(
      expect.arrayContaining(['HOME=/doompi-home', 'LANG=C.UTF-8', 'PI_CODING_AGENT_DIR=/doompi-home/.pi/agent']),
    );
    expect(found?.environment.find((entry) => entry.startsWith('PATH='))).toMatch(/^PATH=\/opt\/doompi\/bin:.*\/usr\/bin/);
  });

  it.each([
    ['the shim', 'pi --version'],
    ['npx', 'npx --offline pi --version'],
    ['node and path', 'node /opt/doompi/agent/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js --version'],
  ])('has the pinned Pi, started by %s', async (_, command) => {
    expect(await inside(command)).toMatchObject({ exitCode: 0, stdout: '1.6.0\n' });
  });

  it('has the programs that Pi looks for, the first pi being the shim', async () => {
    const { stdout } = await inside('for name in pi fdfind rg tini git nano ssh curl; do command -v $name; done');
    const programs = ['fdfind', 'rg', 'tini', 'git', 'nano', 'ssh', 'curl'].map((name) => `/usr/bin/${name}`);
    expect(stdout.trim().split('\n')).toEqual(['/opt/doompi/bin/pi', ...programs]);
    expect((await inside('tini --version && rg --version && fdfind --version')).exitCode).toBe(0);
  });

  it('has a UTF-8 locale and knows modern terminals', async () => {
    expect((await inside('locale charmap; printf ü | wc -m')).stdout).toBe('UTF-8\n1\n');
    expect((await inside('infocmp alacritty && infocmp tmux-256color > /dev/null')).exitCode).toBe(0);
  });

  it('any user can write the home, in the image and in a fresh volume', async () => {
    const script =
      'touch "$HOME/a" "$HOME/.pi/agent/b" && mkdir "$HOME/.pi/agent/sessions" && echo {} > "$HOME/.pi/agent/settings.json"';
    const user = { uid: 1234, gid: 1234 };
    expect(await inside(script, { user })).toMatchObject({ exitCode: 0, stderr: '' });
    const name = `doompi-sandbox-image-test-${process.pid}`;
    await capture(engine, ['volume', 'create', '--label', `${LABEL}=${VALUE}`, name]);
    const mounts = [{ type: 'volume', source: name, target: '/doompi-home' }] as const;
    const seeded = await inside(`cat "$HOME/.pi/agent/settings.json"; ${script}`, { user, mounts });
    expect(seeded).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(seeded.stdout)).toEqual({ extensions: ['/opt/doompi/extension.mjs'] });
  });

  it.each([
    ['the usual first uid of a person, which is node in the base image', 1000],
    ['a uid of nobody', 54321],
    ['a uid below those of people', 400],
    ['container root', 0],
  ])('%s has the name, the group and the home that the launcher says', async (_, uid) => {
    await using session = await temporaryDirectory();
    const name = uid === 0 ? 'root' : 'alice';
    await writeFile(join(session.path, 'passwd'), `${name}:x:${uid}:777:${name}:/doompi-home:/bin/bash\n`);
    await writeFile(join(session.path, 'group'), 'friends:x:777:\n');
    await chmod(session.path, 0o755);
    const script = 'whoami; id -gn; node -p "os.userInfo().homedir"; ssh -T -G example.invalid > /dev/null && echo ssh';
    const mounts = [{ type: 'bind', source: session.path, target: '/run/doompi', readOnly: true }] as const;
    const { stdout, stderr } = await inside(script, { user: { uid, gid: 777 }, mounts });
    expect({ stdout, stderr }).toEqual({ stdout: `${name}\nfriends\n/doompi-home\nssh\n`, stderr: '' });
  });

  it('outside a session its own users are as they were', async () => {
    expect((await inside('whoami', { user: { uid: 1000, gid: 1000 } })).stdout).toBe('node\n');
  });

  it('what is ours is not writable for that user', async () => {
    const { stdout } = await inside('find /opt/doompi /usr/local/bin ! -type l -writable', { user: { uid: 1234, gid: 1234 } });
    expect(stdout).toBe('');
  });

  describe("the host's certificates", () => {
    let server: Server;
    let url: string;

    beforeAll(async () => {
      server = createServer({ key: certificates.key, cert: certificates.cert }, (_, response) => response.end('verified'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));

    it.each([
      ['curl', (address: string): string => `curl -sS ${address}`],
      [
        'node',
        (address: string): string => `node -e 'fetch("${address}").then((r) => r.text()).then((t) => process.stdout.write(t))'`,
      ],
      [
        'openssl',
        (address: string): string =>
          `openssl s_client -verify_return_error -brief -connect ${new URL(address).host} </dev/null && printf verified`,
      ],
    ])('are trusted by %s inside', async (_, script) => {
      const answer = await inside(script(url), { network: 'host' });
      expect(answer).toMatchObject({ exitCode: 0, stdout: 'verified' });
    });

    it('do not come from the base image', async () => {
      const script = `node -e 'fetch("${url}").catch((e) => process.stdout.write(e.cause.code))'`;
      const { stdout } = await inside(script, { image: DEFAULT_BASE_IMAGE, network: 'host' });
      expect(stdout).toMatch(/SELF_SIGNED_CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/);
    });
  });

  describe('BuildKit, and an agent from a tarball', () => {
    /** Each docker command on PATH alone, asked for BuildKit: the first that has it. */
    const withBuildKit = async (): Promise<Engine | undefined> => {
      for (const entry of new Set((process.env['PATH'] ?? '').split(delimiter))) {
        const own = { ...process.env, PATH: entry, DOCKER_BUILDKIT: '1' };
        const found = await detectEngine({ environment: own, override: 'docker' }).catch(() => undefined);
        if (found !== undefined && (await detectBuilder(found)) !== 'legacy') return found;
      }
      return undefined;
    };

    it(
      'builds; the command works, and a missing one is left to the bridge',
      async (context) => {
        const buildKit = await withBuildKit();
        if (buildKit === undefined) {
          if ((process.env['CI'] ?? '') !== '') throw new Error('No docker command here has BuildKit.');
          context.skip('no docker command here has BuildKit');
          return;
        }
        const bin = { doompi: 'cli.js' };
        const agentPackage = await npmTarball(directory.path, 'agent.tgz', { name: 'stand-in', version: '0.1.0', bin });
        const standIn = forTest(await defineImage({ environment, agent: 'doompi', agentPackage }));
        const result = await ensureImage(buildKit, standIn, { lockDirectory: join(directory.path, 'locks') });
        expect(result).toMatchObject({ built: true, reference: expect.stringContaining(':v0.1.0-') as string });
        expect(await inside('doompi a b', { image: result.reference })).toMatchObject({ exitCode: 0, stdout: 'stand-in a b\n' });
        expect((await inside('pi', { image: result.reference })).exitCode).toBe(127);
        expect((await inspectImage(buildKit, result.reference))?.labels).toMatchObject({ [LABELS.agent]: 'doompi' });
      },
      3 * MINUTES,
    );

    it(
      'a package without the agent command still builds',
      async () => {
        const agentPackage = await npmTarball(directory.path, 'without.tgz', { name: 'without', version: '0.2.0' });
        const without = forTest(await defineImage({ environment, agent: 'doompi', agentPackage }));
        const result = await ensureImage(engine, without, { lockDirectory: join(directory.path, 'locks') });
        expect((await inside('doompi', { image: result.reference })).exitCode).toBe(127);
      },
      3 * MINUTES,
    );
  });
});
