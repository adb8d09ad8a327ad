import { gunzipSync } from 'node:zlib';

/** Bytes of one record of a tar archive. */
const RECORD = 512;

/** Largest package that is unpacked to find its manifest, in bytes. */
const MAXIMUM = 512 * 1024 * 1024;

const field = (header: Buffer, start: number, length: number): string =>
  header.toString('latin1', start, start + length).split('\0', 1)[0] ?? '';

/** Version in the manifest of an npm package's tarball, or undefined when there is no such manifest. */
export const tarballVersion = (tarball: Uint8Array): string | undefined => {
  try {
    const archive = gunzipSync(tarball, { maxOutputLength: MAXIMUM });
    for (let at = 0; at + RECORD <= archive.length;) {
      const header = archive.subarray(at, at + RECORD);
      const size = Number.parseInt(field(header, 124, 12), 8) || 0;
      // npm takes the first directory of the archive off, whatever its name.
      if (/^[^/]+\/package\.json$/.test(field(header, 0, 100))) {
        const manifest: unknown = JSON.parse(archive.toString('utf8', at + RECORD, at + RECORD + size));
        const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined;
        return typeof version === 'string' ? version : undefined;
      }
      at += RECORD + Math.ceil(size / RECORD) * RECORD;
    }
  } catch {
    // Not a gzip archive, or a manifest that is not JSON: no version either way.
  }
  return undefined;
};
