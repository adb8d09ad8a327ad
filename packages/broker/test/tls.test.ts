import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startBroker } from '../src/index.ts';
import { privateDirectory } from './support/broker.ts';
import { makeCertificates } from './support/certificates.ts';
import { startTlsUpstream } from './support/upstream.ts';

const ONE_CALL = join(import.meta.dirname, 'support', 'one-call.mjs');

/** Status and body of one call through a broker in a process with this environment. */
const callFrom = async (url: string, environment: Record<string, string>): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', ONE_CALL, url], { env: environment });
  return stdout;
};

describe('TLS', () => {
  it('S18: a certificate is verified whatever the environment of the host says', async () => {
    const { key, cert, authority } = await makeCertificates('localhost');
    const upstream = await startTlsUpstream({ key, cert });
    const untrusted = await callFrom(upstream.url, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect(untrusted).toMatch(/^502 [^]*upstream_certificate/);
    expect(upstream.seen).toEqual([]);
    // The same server with its authority trusted shows that the certificate was all that was wrong.
    expect(await callFrom(upstream.url, { NODE_EXTRA_CA_CERTS: authority })).toBe('200 {}');
    expect(upstream.seen).toHaveLength(1);
  });

  it('S18: a trusted certificate for another name is refused', async () => {
    const { key, cert, authority } = await makeCertificates('elsewhere.test');
    const upstream = await startTlsUpstream({ key, cert });
    const answer = await callFrom(upstream.url, { NODE_EXTRA_CA_CERTS: authority, NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect(answer).toMatch(/^502 [^]*upstream_certificate/);
    expect(upstream.seen).toEqual([]);
  });
});

describe('upstreams', () => {
  const start = async (upstreams: Record<string, string>): Promise<void> => {
    const path = join(await privateDirectory(), 's');
    const broker = await startBroker({ listen: { transport: 'unix', path }, upstreams });
    await broker.close();
  };

  it.each([
    'https://example.test',
    'https://example.test:8443/v1',
    'http://127.0.0.1:1',
    'http://127.8.8.8',
    'http://localhost/x',
    'http://[::1]:1',
  ])('S18: %s may be an upstream', async (base) => {
    await expect(start({ anthropic: base })).resolves.toBeUndefined();
  });

  it.each([
    'http://example.test',
    'http://10.0.0.1',
    'http://127.0.0.1.example.test',
    'http://localhost.example.test',
    'http://0.0.0.0',
    'http://[::]:1',
    'ftp://127.0.0.1',
    'file:///etc/passwd',
    'https://user:pass@example.test',
    'https://example.test/?key=x',
    'https://example.test/#x',
    'example.test',
    '',
  ])('S18: %j may not', async (base) => {
    await expect(start({ anthropic: base })).rejects.toMatchObject({
      code: 'BROKER_UPSTREAM_REFUSED',
      details: { provider: 'anthropic' },
    });
  });

  it('names a provider that no route has', async () => {
    await expect(start({ anthropics: 'https://example.test' })).rejects.toMatchObject({
      code: 'BROKER_UNKNOWN_PROVIDER',
      details: { provider: 'anthropics' },
    });
  });
});
