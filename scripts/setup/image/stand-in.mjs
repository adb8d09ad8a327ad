import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { needRoom } from '../disk.mjs';
import { aptInstall, canInstall } from '../engine/apt.mjs';
import { runEngine } from '../engine/engine-command.mjs';
import { SetupFailure } from '../failure.mjs';
import { findProgram } from '../programs.mjs';

/** The npm that comes with this Node in the official image. */
const NPM_VERSION = '11.21.2';

/** A machine that gets its engine is asked about this in the same question. */
export const STAND_IN_CONSENT = 'stand-in';

/** Node's names of processors, and Debian's. */
const ARCHITECTURES = /** @type {const} */ ({ x64: 'amd64', arm64: 'arm64' });

/** @param {import('../run.mjs').RunResult} result @param {string} what @param {string} next */
const must = (result, what, next) => {
  if (!result.ok) throw new SetupFailure(what, { why: result.tail, next });
};

const REGISTRY_ADVICE = 'Check the network, then run this again; or name an image that is there in DOOMPI_SANDBOX_BASE_IMAGE.';

/**
 * Node and npm from the npm registry, laid out as the official image has them, as a tar.
 * @param {import('../setup.mjs').Context} context
 * @param {string} work
 * @param {string} version
 * @returns {Promise<string>}
 */
const nodeLayer = async ({ run }, work, version) => {
  const specs = [`node-linux-${process.arch}@${version}`, `npm@${NPM_VERSION}`];
  // Not in the clone: its .npmrc has no say here.
  must(await run('npm', ['pack', '--silent', ...specs], { cwd: work }), `npm pack ${specs.join(' ')} failed`, REGISTRY_ADVICE);
  const local = join(work, 'layer/usr/local');
  const npm = join(local, 'lib/node_modules/npm');
  await mkdir(join(local, 'bin'), { recursive: true });
  await mkdir(npm, { recursive: true });
  const unpack = async (/** @type {readonly string[]} */ args) =>
    must(await run('tar', args, { cwd: work }), 'A package of the npm registry cannot be unpacked', REGISTRY_ADVICE);
  const node = `node-linux-${process.arch}-${version}.tgz`;
  await unpack(['-xzf', node, '-C', local, '--strip-components=1', '--no-same-owner', 'package/bin/node']);
  await unpack(['-xzf', `npm-${NPM_VERSION}.tgz`, '-C', npm, '--strip-components=1', '--no-same-owner']);
  await symlink('node', join(local, 'bin/nodejs'));
  for (const name of ['npm', 'npx']) await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
  const tar = join(work, 'layer.tar');
  await unpack(['-C', join(work, 'layer'), '--owner=0', '--group=0', '--numeric-owner', '-cf', tar, 'usr']);
  return tar;
};

/** @param {import('../setup.mjs').Context} context */
const ensureMmdebstrap = async (context) => {
  const { env, consent } = context;
  if (findProgram('mmdebstrap', env['PATH']) !== undefined) return;
  if (!canInstall())
    throw new SetupFailure('A stand-in for the base image is made on Debian, by mmdebstrap, which is not there', {
      next: 'Install mmdebstrap, make a registry reachable, or load the image by hand (docker load).',
    });
  await consent('install the Debian package mmdebstrap and make a stand-in base image with it', STAND_IN_CONSENT);
  await aptInstall(context, ['mmdebstrap']);
};

/** What the official image sets. The label says what this one is. */
const changes = (/** @type {string} */ version) => [
  'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  `ENV NODE_VERSION=${version}`,
  'CMD ["node"]',
  'LABEL doompi.sandbox.stand-in=true',
];

/**
 * An image for this machine alone that stands in for the official one: Debian 12 without recommendations, Node and npm. As in the
 * official one there is a user `node` (1000), and no certificate of this machine: what needs one must bring it.
 * @param {import('../setup.mjs').Context} context
 * @param {import('../engine/engine-command.mjs').EngineCommand} engine gets the image
 * @param {string} reference
 * @param {string} why no registry answered
 */
export const buildStandIn = async (context, engine, reference, why) => {
  const { root, report, run } = context;
  report.note(`base image: no registry answers (${why.split('\n').at(-1)})`);
  report.note(
    `base image: making a STAND-IN named ${reference}, labelled doompi.sandbox.stand-in=true. It is not the official image.`,
  );
  const architecture = Object.entries(ARCHITECTURES).find(([name]) => name === process.arch)?.[1];
  if (architecture === undefined || process.platform !== 'linux')
    throw new SetupFailure(`There is no stand-in base image for ${process.platform} ${process.arch}`, {
      next: 'Make a registry reachable, or load the image by hand (docker load).',
    });
  await ensureMmdebstrap(context);
  const version = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).devDependencies.node;
  // In the clone: what a killed set-up left there goes before the next begins.
  const work = join(root, '.state/stand-in');
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  await needRoom(work, 1000, 'a stand-in base image');
  try {
    await report.step(
      `base image: Debian 12 by mmdebstrap, Node ${version} and npm ${NPM_VERSION} from the npm registry`,
      async () => {
        const layer = await nodeLayer(context, work, version);
        const tar = join(work, 'image.tar');
        const hooks = [
          `--customize-hook=tar-in ${layer} /`,
          '--customize-hook=chroot "$1" useradd --create-home --uid 1000 --shell /bin/bash node',
        ];
        const debian = ['--quiet', '--variant=minbase', `--architectures=${architecture}`, ...hooks, 'bookworm', tar];
        must(await run('mmdebstrap', debian, { cwd: work }), 'mmdebstrap failed', REGISTRY_ADVICE);
        const flags = changes(version).flatMap((change) => ['--change', change]);
        must(
          await runEngine(context, engine, ['import', ...flags, tar, reference]),
          'The stand-in cannot be imported',
          'Run this again.',
        );
      },
    );
    const check = ['run', '--rm', '--network=none', '--label=doompi.sandbox.test=set-up', reference, 'node', '--version'];
    const seen = await runEngine(context, engine, check, { timeoutMs: 60_000 });
    if (seen.stdout.trim() !== `v${version}`) {
      await runEngine(context, engine, ['image', 'rm', '--force', reference]);
      throw new SetupFailure('The stand-in base image does not run', {
        why: seen.tail,
        next: 'docker run hello-world shows whether the engine can run anything.',
      });
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};
