import { createHash } from 'node:crypto';
import { type ContextFile, textFile } from './context-file.ts';
import { imageError } from './error.ts';
import { CONTEXT } from './layout.ts';

/** Variables by which a host is told of certificate authorities of its own. */
const VARIABLES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'] as const;

/** Where Debian keeps all trusted certificates. */
const BUNDLE = '/etc/ssl/certs/ca-certificates.crt';

/** Variables that make Node, OpenSSL, git, curl and Python use the container's own bundle. */
export const CERTIFICATE_ENVIRONMENT: Readonly<Record<string, string>> = {
  NODE_EXTRA_CA_CERTS: BUNDLE,
  SSL_CERT_FILE: BUNDLE,
  GIT_SSL_CAINFO: BUNDLE,
  CURL_CA_BUNDLE: BUNDLE,
  REQUESTS_CA_BUNDLE: BUNDLE,
};

const BLOCK = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;

/** Certificates of a PEM text in one spelling, so that equal ones compare equal. Everything around them is dropped, keys too. */
const certificatesIn = (text: string): string[] =>
  [...text.matchAll(BLOCK)].map(([, body = '']) => {
    const lines = body.replaceAll(/\s/g, '').match(/.{1,64}/g) ?? [];
    return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  });

/**
 * Certificates that the host is configured with by `NODE_EXTRA_CA_CERTS` and `SSL_CERT_FILE`, each once, as PEM; empty when it has none.
 * @throws ImageError IMAGE_CERTIFICATES_UNREADABLE
 */
export const hostCertificates = async (
  environment: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => Promise<string>,
): Promise<string[]> => {
  const found = new Set<string>();
  for (const variable of VARIABLES) {
    const path = environment[variable];
    if (path === undefined || path === '') continue;
    const text = await readFile(path).catch((cause: unknown) => {
      const message = `${variable} names ${path}, which cannot be read. Correct the variable or unset it.`;
      throw imageError('IMAGE_CERTIFICATES_UNREADABLE', message, { variable, path }, { cause });
    });
    for (const certificate of certificatesIn(text)) found.add(certificate);
  }
  return [...found];
};

/** Files of the build context for certificates. Named by content, so that their order on the host does not matter. */
export const certificateFiles = (certificates: readonly string[]): ContextFile[] =>
  certificates.map((certificate) => {
    const name = createHash('sha256').update(certificate).digest('hex').slice(0, 16);
    return textFile(`${CONTEXT.certificates}/doompi-${name}.crt`, certificate);
  });
