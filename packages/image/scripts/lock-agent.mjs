// Pins an agent for the image: writes assets/agents/<id>/package.json and package-lock.json.
// Made at release and committed: `node scripts/lock-agent.mjs pi @earendil-works/pi-coding-agent@1.6.0`.
// The lockfile holds the integrity of every package and no registry's address, so that a build takes them from the registry
// that npm in the build is configured with, and refuses other bytes.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SPEC = /^((?:@[a-z0-9._-]+\/)?[a-z0-9._-]+)@(\d+\.\d+\.\d+[a-z0-9.+-]*)$/i;

/** Packages of a lockfile that npm could install without checking their bytes. */
const unchecked = (lock) =>
  Object.entries(lock.packages)
    .filter(([path, entry]) => path !== '' && entry.inBundle !== true && typeof entry.integrity !== 'string')
    .map(([path]) => path);

const [id, spec] = process.argv.slice(2);
const [, name, version] = SPEC.exec(spec ?? '') ?? [];
if (!/^[a-z]+$/.test(id ?? '') || name === undefined || version === undefined)
  throw new TypeError('Usage: lock-agent.mjs <agent id> <package>@<exact version>');

const work = await mkdtemp(join(tmpdir(), 'doompi-lock-agent-'));
try {
  const manifest = { name: `doompi-sandbox-agent-${id}`, version: '0.0.0', private: true, dependencies: { [name]: version } };
  await writeFile(join(work, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const flags = ['--package-lock-only', '--ignore-scripts', '--omit-lockfile-registry-resolved', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', ...flags], { cwd: work });
  const lockFile = join(work, 'package-lock.json');
  const text = await readFile(lockFile, 'utf8');
  const missing = unchecked(JSON.parse(text));
  if (missing.length > 0) throw new Error(`No integrity for ${missing.join(', ')}`);
  if (text.includes('"resolved"')) throw new Error('The lockfile names a registry');
  const target = new URL(`../assets/agents/${id}/`, import.meta.url);
  await mkdir(target, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) await cp(join(work, file), new URL(file, target));
  process.stdout.write(`${id}: ${name}@${version}, ${Object.keys(JSON.parse(text).packages).length - 1} packages\n`);
} finally {
  await rm(work, { recursive: true, force: true });
}
