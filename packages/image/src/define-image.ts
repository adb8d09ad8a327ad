import { readFile } from 'node:fs/promises';
import { LABELS } from '@doompi-sandbox/contract';
import { resolveAgentSource } from './agent-source.ts';
import { type Agent, type AgentId, AGENTS, isAgentId } from './agents.ts';
import { certificateFiles, hostCertificates } from './certificates.ts';
import { containerfile } from './containerfile.ts';
import { type ContextFile, textFile } from './context-file.ts';
import { definitionDigest, imageReference } from './digest.ts';
import { CONTEXT, EXTENSION_FILE, SETTINGS_FILE } from './layout.ts';
import { assetsDirectory, builtFile, ownVersion, readBundle } from './package-files.ts';
import { piShim } from './pi-shim.ts';

/** Base image when none is given. Any Debian-based image with Node 22.19 or newer and npm will do. */
export const DEFAULT_BASE_IMAGE = 'node:24-bookworm-slim';

const PACKAGES = [
  'ca-certificates',
  'curl',
  'fd-find',
  'git',
  'libnss-cache',
  'nano',
  'ncurses-term',
  'openssh-client',
  'ripgrep',
  'tini',
] as const;

export interface ImageOptions {
  /** The host's environment: certificates are taken from the files it names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default `pi`. */
  readonly agent?: AgentId | undefined;
  /** npm spec of the registry, or path of a tarball made by `npm pack`; default the pinned one. Blank means default. */
  readonly agentPackage?: string | undefined;
  /** Directory that a relative {@link agentPackage} path starts from. */
  readonly workingDirectory?: string | undefined;
  /** Image reference; default {@link DEFAULT_BASE_IMAGE}. Blank means default. */
  readonly baseImage?: string | undefined;
  /** Files to use for bridge and extension; default the built ones of their packages. */
  readonly bundles?: { readonly bridge: string; readonly extension: string } | undefined;
}

/** Everything that makes an image, resolved. Holds no secret. */
export interface ImageDefinition {
  readonly agent: Agent;
  readonly agentVersion: string;
  readonly baseImage: string;
  readonly containerfile: string;
  /** The build context without its Containerfile. */
  readonly files: readonly ContextFile[];
  readonly labels: Readonly<Record<string, string>>;
  /** SHA-256 in hex over agent, Containerfile and files. */
  readonly digest: string;
  /** `doompi-sandbox:v<agent version>-<first 12 digits of the digest>`. */
  readonly reference: string;
}

/** Whether a text can stand in a Containerfile as the reference of a base image. */
export const isBaseImage = (reference: string): boolean => /^[a-z0-9][\w.:/@-]*$/i.test(reference);

const assertBaseImage = (reference: string): void => {
  if (!isBaseImage(reference)) throw new TypeError(`baseImage: expected an image reference, got ${JSON.stringify(reference)}`);
};

const assertAgent = (id: string): void => {
  if (!isAgentId(id)) throw new TypeError(`agent: expected one of ${Object.keys(AGENTS).join(', ')}, got ${JSON.stringify(id)}`);
};

const rootFiles = async ({ bridge, extension }: NonNullable<ImageOptions['bundles']>): Promise<ContextFile[]> => [
  { path: `${CONTEXT.root}/bridge.mjs`, mode: 0o644, content: await readBundle(bridge) },
  { path: `${CONTEXT.root}/extension.mjs`, mode: 0o644, content: await readBundle(extension) },
  textFile(`${CONTEXT.root}/bin/pi`, piShim(), 0o755),
  textFile(`${CONTEXT.root}/${SETTINGS_FILE}`, `${JSON.stringify({ extensions: [EXTENSION_FILE] }, null, 2)}\n`),
];

const defaultBundles = async (): Promise<NonNullable<ImageOptions['bundles']>> => ({
  bridge: await builtFile('@doompi-sandbox/bridge', './entry'),
  extension: await builtFile('@doompi-sandbox/extension', './pi'),
});

/**
 * Resolves options and files to the definition of an image. Reads files, asks no engine.
 * @throws ImageError IMAGE_AGENT_UNPINNED, IMAGE_AGENT_PACKAGE_INVALID, IMAGE_BUNDLE_MISSING, IMAGE_CERTIFICATES_UNREADABLE; TypeError for another wrong option
 */
export const defineImage = async (options: ImageOptions): Promise<ImageDefinition> => {
  const { environment, agent: agentId = 'pi', agentPackage, workingDirectory } = options;
  const baseImage = options.baseImage?.trim() || DEFAULT_BASE_IMAGE;
  assertBaseImage(baseImage);
  assertAgent(agentId);
  const agent = AGENTS[agentId];
  const source = await resolveAgentSource(agent, agentPackage?.trim(), workingDirectory, assetsDirectory());
  const certificates = certificateFiles(await hostCertificates(environment, (path) => readFile(path, 'utf8')));
  const files = [...certificates, ...source.files, ...(await rootFiles(options.bundles ?? (await defaultBundles())))];
  const text = containerfile({
    baseImage,
    packages: PACKAGES,
    certificates: certificates.length > 0,
    install: source.install,
    command: agent.command,
  });
  const digest = definitionDigest({ agent: agent.id, containerfile: text, files });
  return {
    agent,
    agentVersion: source.version,
    baseImage,
    containerfile: text,
    files,
    labels: { [LABELS.agent]: agent.id, [LABELS.version]: await ownVersion() },
    digest,
    reference: imageReference(source.version, digest),
  };
};
