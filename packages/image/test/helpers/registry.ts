import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runProgram, temporaryDirectory } from '@doompi-sandbox/testkit';

const TYPES = {
  manifest: 'application/vnd.docker.distribution.manifest.v2+json',
  config: 'application/vnd.docker.container.image.v1+json',
  layer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
} as const;

const digestOf = (content: string | Uint8Array): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;

const tar = async (content: string): Promise<Buffer> => {
  await using directory = await temporaryDirectory();
  const layer = join(directory.path, 'layer');
  await mkdir(layer);
  await writeFile(join(layer, 'release'), content);
  const packed = await runProgram('sh', ['-c', 'tar -cf - -C "$1" release | base64', 'sh', layer]);
  if (packed.exitCode !== 0) throw new Error(packed.stderr);
  return Buffer.from(packed.stdout, 'base64');
};

/** A registry on loopback, which engines ask over plain HTTP, with one image of one file. */
export interface Registry extends AsyncDisposable {
  /** Its image, whatever the tag. */
  readonly reference: string;
  /** From now on the image holds `/release` with this content. */
  publish(content: string): Promise<void>;
}

/** The parts of the OCI distribution specification that a pull needs. */
export const startRegistry = async (architecture: string): Promise<Registry> => {
  const blobs = new Map<string, Buffer>();
  let manifest = '';
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const [, kind, name = ''] = /^\/v2\/base\/(manifests|blobs)\/(.+)$/.exec(request.url ?? '') ?? [];
    if (request.url === '/v2/') response.end('{}');
    else if (kind === 'manifests' && manifest !== '')
      response
        .writeHead(200, {
          'content-type': TYPES.manifest,
          'content-length': Buffer.byteLength(manifest),
          'docker-content-digest': digestOf(manifest),
        })
        .end(request.method === 'HEAD' ? undefined : manifest);
    else if (kind === 'blobs' && blobs.has(name)) response.end(blobs.get(name));
    else response.writeHead(404).end('{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}');
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    reference: `127.0.0.1:${(server.address() as AddressInfo).port}/base:1`,
    publish: async (content) => {
      const layer = await tar(content);
      const packed = gzipSync(layer);
      const config = Buffer.from(
        JSON.stringify({ architecture, os: 'linux', config: {}, rootfs: { type: 'layers', diff_ids: [digestOf(layer)] } }),
      );
      for (const blob of [packed, config]) blobs.set(digestOf(blob), blob);
      const described = (mediaType: string, blob: Buffer) => ({ mediaType, size: blob.byteLength, digest: digestOf(blob) });
      manifest = JSON.stringify({
        schemaVersion: 2,
        mediaType: TYPES.manifest,
        config: described(TYPES.config, config),
        layers: [described(TYPES.layer, packed)],
      });
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
