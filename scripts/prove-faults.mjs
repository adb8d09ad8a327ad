import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/**
 * Shows that the test of each fault can fail: in a copy of the working tree it makes the change that brings the fault back, runs that one
 * test, and expects it to fail; without the change it must pass.
 *
 *   node scripts/prove-faults.mjs [B30 S08 …]
 *
 * `built`: the test runs the built command, not its sources.
 *
 * @typedef {{ test: string; name: string; file: string; find: string; replace: string; built?: boolean }} Proof
 */

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** The workspace's own Node and pnpm come first. */
const PATH = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`;

/** The copy has no set-up of its own. */
const ENGINES = join(ROOT, '.state/engines.json');

/** Packages whose built files go into the image: their changes count only once built. */
const BUNDLED = ['packages/bridge/', 'packages/extension/', 'packages/contract/'];

/** @param {string} file @param {readonly string[]} args @param {string} cwd @returns {Promise<{ code: number | null; output: string }>} */
const run = (file, args, cwd) =>
  new Promise((done, reject) => {
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, PATH, DOOMPI_TEST_ENGINES: ENGINES },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => done({ code, output }));
  });

/** @param {string} file @param {readonly string[]} args @param {string} cwd */
const must = async (file, args, cwd) => {
  const { code, output } = await run(file, args, cwd);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} failed:\n${output}`);
};

/** @param {string} directory */
const copyTree = async (directory) => {
  const files = join(directory, '..', 'files');
  const { output } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], ROOT);
  await writeFile(files, output);
  await must(
    'sh',
    [
      '-c',
      'mkdir -p "$1" && tar -C "$2" --null --ignore-failed-read -T "$3" -cf - | tar -C "$1" -xf -',
      'sh',
      directory,
      ROOT,
      files,
    ],
    ROOT,
  );
  await must('pnpm', ['install', '--offline', '--frozen-lockfile', '--silent'], directory);
  await build(directory);
};

/** @param {string} directory */
const build = (directory) =>
  must('pnpm', ['--filter', '@doompi-sandbox/bridge', '--filter', '@doompi-sandbox/extension', 'build'], directory);

/** The command, with all that it is made of. @param {string} directory */
const buildCommand = (directory) => must('pnpm', ['build'], directory);

/** One test, by its full name, in the package that holds it. @param {string} directory @param {Proof} proof */
const runTest = async (directory, { test, name }) => {
  const [top = '', packageName = ''] = test.split('/');
  const home = top === 'packages' ? join(directory, top, packageName) : directory;
  const root = top === 'scripts' ? join(directory, top) : home;
  const pattern = `${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`;
  const { code, output } = await run(
    'pnpm',
    ['exec', 'vitest', 'run', join(directory, test), '-t', pattern, '--typecheck.enabled=false', '--root', root],
    home,
  );
  const ran = /Tests\s.*\b\d+ (?:passed|failed)/.test(stripVTControlCharacters(output));
  return { passed: code === 0, ran, output };
};

/** @param {string} directory @param {Proof} proof @returns {Promise<string | undefined>} what is wrong */
const prove = async (directory, proof) => {
  const path = join(directory, proof.file);
  const original = await readFile(path, 'utf8');
  if (original.split(proof.find).length !== 2) return `${proof.file} does not hold the text to change exactly once`;
  const bundled = BUNDLED.some((prefix) => proof.file.startsWith(prefix));
  const rebuild = proof.built === true ? buildCommand : bundled ? build : undefined;
  if (proof.built === true) await buildCommand(directory);
  const before = await runTest(directory, proof);
  if (!before.ran) return 'no test of that name ran';
  if (!before.passed) return `fails without the change:\n${before.output}`;
  await writeFile(
    path,
    original.replace(proof.find, () => proof.replace),
  );
  try {
    await rebuild?.(directory);
    return (await runTest(directory, proof)).passed ? 'passes although the fault is back' : undefined;
  } finally {
    await writeFile(path, original);
    await rebuild?.(directory);
  }
};

const main = async () => {
  /** @type {Record<string, Proof[]>} */
  const faults = JSON.parse(await readFile(join(ROOT, 'test/faults.json'), 'utf8'));
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((id) => !(id in faults));
  if (unknown.length > 0) throw new Error(`not in test/faults.json: ${unknown.join(', ')}`);
  const scratch = await mkdtemp(join(tmpdir(), 'doompi-faults-'));
  let unproven = 0;
  let proven = 0;
  try {
    const directory = join(scratch, 'tree');
    await copyTree(directory);
    for (const [id, proofs] of Object.entries(faults)) {
      if (wanted.length > 0 && !wanted.includes(id)) continue;
      for (const proof of proofs) {
        const problem = await prove(directory, proof);
        if (problem === undefined) proven += 1;
        else unproven += 1;
        process.stdout.write(
          `${problem === undefined ? 'proven  ' : 'UNPROVEN'} ${id.padEnd(4)} ${proof.test} > ${proof.name}${problem === undefined ? '' : `\n         ${problem}`}\n`,
        );
      }
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  process.stdout.write(`faults: ${proven} proven, ${unproven} not\n`);
  process.exitCode = unproven === 0 ? 0 : 1;
};

await main();
