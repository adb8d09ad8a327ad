import { describe, expect, it } from 'vitest';
import { hostCertificates } from '../src/index.ts';

const pem = (body: string): string => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
const FILES: Readonly<Record<string, string>> = {
  '/one': `# comment\n${pem('AAAA')}`,
  '/two': `${pem('AAAA').replaceAll('\n', '\r\n')}between\n${pem('BBBB')}`,
  '/key': `-----BEGIN PRIVATE KEY-----\nSECRET\n-----END PRIVATE KEY-----\n${pem('CCCC')}`,
  '/none': 'no certificate here\n',
};
const read = async (path: string): Promise<string> => {
  const text = FILES[path];
  if (text === undefined) throw new Error('ENOENT');
  return text;
};

describe('hostCertificates', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['nothing set', {}, []],
    ['an empty variable', { NODE_EXTRA_CA_CERTS: '' }, []],
    ['one file', { NODE_EXTRA_CA_CERTS: '/one' }, ['AAAA']],
    ['the other variable', { SSL_CERT_FILE: '/one' }, ['AAAA']],
    [
      'both, each certificate once, whatever its line ends',
      { NODE_EXTRA_CA_CERTS: '/one', SSL_CERT_FILE: '/two' },
      ['AAAA', 'BBBB'],
    ],
    ['a file without certificates', { SSL_CERT_FILE: '/none' }, []],
    ['a file that holds a private key too', { SSL_CERT_FILE: '/key' }, ['CCCC']],
    ['other variables', { CURL_CA_BUNDLE: '/one' }, []],
  ])('%s', async (_, environment, bodies) => {
    expect(await hostCertificates(environment, read)).toEqual(bodies.map(pem));
  });

  it.each(['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'])(
    'names the variable %s and the path that cannot be read',
    async (variable) => {
      const reading = hostCertificates({ [variable]: '/missing' }, read);
      await expect(reading).rejects.toMatchObject({
        code: 'IMAGE_CERTIFICATES_UNREADABLE',
        details: { variable, path: '/missing' },
      });
      await expect(reading).rejects.toThrow(new RegExp(`${variable}.*/missing`));
    },
  );
});
