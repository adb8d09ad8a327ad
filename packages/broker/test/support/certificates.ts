import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { privateDirectory } from './broker.ts';

const run = promisify(execFile);

export interface Certificates {
  /** Path of the authority's certificate. */
  readonly authority: string;
  readonly key: string;
  readonly cert: string;
}

/** A throw-away authority and a server certificate of its for one name. */
export const makeCertificates = async (name: string): Promise<Certificates> => {
  const directory = await privateDirectory();
  const file = (base: string): string => join(directory, base);
  const openssl = (...args: string[]): Promise<unknown> => run('openssl', args, { cwd: directory });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await openssl('req', '-x509', ...newKey, '-days', '2', '-subj', '/CN=test authority', '-keyout', 'ca.key', '-out', 'ca.pem');
  await openssl(
    'req',
    ...newKey,
    '-subj',
    `/CN=${name}`,
    '-addext',
    `subjectAltName=DNS:${name}`,
    '-keyout',
    'key',
    '-out',
    'csr',
  );
  const sign = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-copy_extensions', 'copy', '-days', '2'];
  await openssl('x509', '-req', '-in', 'csr', ...sign, '-out', 'cert');
  return {
    authority: file('ca.pem'),
    key: await readFile(file('key'), 'utf8'),
    cert: await readFile(file('cert'), 'utf8'),
  };
};
