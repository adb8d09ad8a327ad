import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export interface TestCertificates extends AsyncDisposable {
  /** PEM file of a private CA, made for this call only. */
  readonly caFile: string;
  /** PEM text of `caFile`. */
  readonly ca: string;
  /** PEM key of the server certificate. */
  readonly key: string;
  /** PEM certificate that the CA signed for the names asked for. */
  readonly cert: string;
  dispose(): Promise<void>;
}

const openssl = async (args: readonly string[], cwd: string): Promise<void> => {
  const result = await runProgram('openssl', args, { cwd });
  if (result.exitCode !== 0) throw new Error(`openssl ${args[0]} failed: ${result.stderr}`);
};

const isAddress = (name: string): boolean => /^[\d.]+$|:/.test(name);

const EC_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const;

/** A fresh private CA and a server certificate of it, valid for two days. `names`: host names and IP addresses, default `localhost` and `127.0.0.1`. */
export const testCertificates = async (names: readonly string[] = ['localhost', '127.0.0.1']): Promise<TestCertificates> => {
  const directory = await temporaryDirectory('doompi-certificates-');
  const file = (name: string): string => join(directory.path, name);
  try {
    const subject = ['-subj', '/CN=doompi-sandbox test CA'];
    const authority = ['-x509', '-days', '2', '-addext', 'keyUsage=critical,keyCertSign,cRLSign'];
    await openssl(['req', ...EC_KEY, ...authority, ...subject, '-keyout', 'ca.key', '-out', 'ca.pem'], directory.path);
    await openssl(['req', ...EC_KEY, '-subj', `/CN=${names[0]}`, '-keyout', 'server.key', '-out', 'server.csr'], directory.path);
    const alternatives = names.map((name) => `${isAddress(name) ? 'IP' : 'DNS'}:${name}`).join(',');
    await writeFile(file('extensions'), `subjectAltName=${alternatives}\nextendedKeyUsage=serverAuth\n`);
    const issuer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'extensions'];
    await openssl(['x509', '-req', '-in', 'server.csr', ...issuer, '-out', 'server.pem'], directory.path);
    const read = (name: string): Promise<string> => readFile(file(name), 'utf8');
    return {
      caFile: file('ca.pem'),
      ca: await read('ca.pem'),
      key: await read('server.key'),
      cert: await read('server.pem'),
      dispose: directory.dispose,
      [Symbol.asyncDispose]: directory.dispose,
    };
  } catch (error) {
    await directory.dispose();
    throw error;
  }
};
