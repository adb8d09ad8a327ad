import { readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { Agent } from './agents.ts';
import { type ContextFile, textFile } from './context-file.ts';
import { type ImageError, imageError } from './error.ts';
import { CONTEXT } from './layout.ts';
import { tarballVersion } from './tarball-manifest.ts';

/** What the agent is installed from, resolved. */
export interface AgentSource {
  /** Version as the image's tag shows it. */
  readonly version: string;
  readonly files: readonly ContextFile[];
  /** Arguments of `npm`, run where {@link files} are. */
  readonly install: readonly string[];
}

const FLAGS = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--no-update-notifier'];
const TARBALL = 'package.tgz';
const PRIVATE_MANIFEST = textFile(`${CONTEXT.agent}/package.json`, '{ "private": true }\n');

const pinned = async (agent: Agent, version: string, assets: string): Promise<AgentSource> => {
  const names = ['package.json', 'package-lock.json'];
  const texts = await Promise.all(names.map((name) => readFile(join(assets, 'agents', agent.id, name), 'utf8')));
  return {
    version,
    files: names.map((name, index) => textFile(`${CONTEXT.agent}/${name}`, texts[index] ?? '')),
    install: ['ci', ...FLAGS],
  };
};

const invalid = (agentPackage: string, reason: string, cause?: unknown): ImageError =>
  imageError(
    'IMAGE_AGENT_PACKAGE_INVALID',
    `The agent package ${JSON.stringify(agentPackage)} cannot be used: ${reason}. Give a spec of the registry, such as name@1.2.3, or the path of a tarball made by "npm pack".`,
    { agentPackage, reason },
    { cause },
  );

const isPath = (agentPackage: string): boolean =>
  agentPackage.startsWith('.') || isAbsolute(agentPackage) || /\.(?:tgz|tar\.gz)$/.test(agentPackage);

const fromTarball = async (agentPackage: string, directory: string | undefined): Promise<AgentSource> => {
  if (!isAbsolute(agentPackage) && directory === undefined)
    throw new TypeError(
      `workingDirectory: expected a directory for the relative path ${JSON.stringify(agentPackage)}, got nothing`,
    );
  const content = await readFile(resolve(directory ?? '/', agentPackage)).catch((cause: unknown) => {
    throw invalid(agentPackage, 'the file cannot be read', cause);
  });
  const version = tarballVersion(content);
  if (version === undefined) throw invalid(agentPackage, 'it is not a tarball of an npm package');
  return {
    version,
    files: [PRIVATE_MANIFEST, { path: `${CONTEXT.agent}/${TARBALL}`, mode: 0o644, content }],
    install: ['install', ...FLAGS, '--', `./${TARBALL}`],
  };
};

/** A package of the registry: name, and a version, range or tag. Git, URLs and directories are other kinds of spec. */
const REGISTRY_SPEC = /^(?:@[a-z0-9._-]+\/)?[a-z0-9][a-z0-9._-]*(?:@([\w.^~<>=*| +-]+))?$/i;

const fromRegistry = (agentPackage: string): AgentSource => {
  const match = REGISTRY_SPEC.exec(agentPackage);
  if (match === null) throw invalid(agentPackage, 'it is no package of the registry');
  return {
    version: match[1] ?? 'latest',
    files: [PRIVATE_MANIFEST],
    install: ['install', ...FLAGS, '--', agentPackage],
  };
};

/**
 * Resolves what to install: the pinned lockfile, or the package that was given.
 * @param assets - this package's `assets` directory
 * @throws ImageError IMAGE_AGENT_UNPINNED, IMAGE_AGENT_PACKAGE_INVALID; TypeError for a relative path without a directory
 */
export const resolveAgentSource = async (
  agent: Agent,
  agentPackage: string | undefined,
  workingDirectory: string | undefined,
  assets: string,
): Promise<AgentSource> => {
  if (agentPackage !== undefined && agentPackage !== '')
    return isPath(agentPackage) ? fromTarball(agentPackage, workingDirectory) : fromRegistry(agentPackage);
  if (agent.version !== undefined) return pinned(agent, agent.version, assets);
  throw imageError(
    'IMAGE_AGENT_UNPINNED',
    `The agent ${agent.id} has no pinned version here. Name its package: DOOMPI_SANDBOX_AGENT_PACKAGE=${agent.package}@<version>, or the path of a tarball made by "npm pack".`,
    { agent: agent.id, package: agent.package },
  );
};
