import { createHash } from 'node:crypto';
import type { AgentId } from './agents.ts';
import type { ContextFile } from './context-file.ts';

export interface DigestInput {
  readonly agent: AgentId;
  readonly containerfile: string;
  readonly files: readonly ContextFile[];
}

/**
 * SHA-256, in hex, over everything of a build that we control. Each part is written with its length, so that no two inputs spell
 * the same bytes.
 */
export const definitionDigest = ({ agent, containerfile, files }: DigestInput): string => {
  const hash = createHash('sha256');
  const add = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    hash.update(`${bytes.byteLength}:`).update(bytes);
  };
  add(agent);
  add(containerfile);
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, mode, content } of sorted) {
    add(path);
    add(mode.toString(8));
    add(content);
  }
  return hash.digest('hex');
};

/** Longest part of a tag that a version may take; a whole tag may have 128 characters. */
const VERSION_LENGTH = 64;

/** Image reference `doompi-sandbox:v<version>-<first 12 digits of the digest>`. Characters that a tag cannot hold become `-`. */
export const imageReference = (version: string, digest: string): string =>
  `doompi-sandbox:v${version.replaceAll(/[^A-Za-z0-9_.-]/g, '-').slice(0, VERSION_LENGTH)}-${digest.slice(0, 12)}`;
