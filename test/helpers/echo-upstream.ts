import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands for a provider: answers each call with the digest of what it got and a number of bytes. */
export interface EchoUpstream extends AsyncDisposable {
  readonly url: string;
  /** Digest of the bytes that every answer ends with. */
  readonly digest: string;
}

/** @param bytes - length of what each answer ends with, all `d` */
export const startEchoUpstream = async (bytes: number): Promise<EchoUpstream> => {
  const body = Buffer.alloc(bytes, 'd');
  const server = createServer((request, response) => {
    const hash = createHash('sha256');
    request
      .on('data', (chunk: Buffer) => hash.update(chunk))
      .on('end', () => response.end(`${hash.digest('hex')} ${body.toString()}`));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    digest: createHash('sha256').update(body).digest('hex'),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Runs inside, with Node: one large call and 50 small ones at once; prints what arrived where, as JSON. */
export const CALLER = `
const { createHash } = require('node:crypto');
const sha = (data) => createHash('sha256').update(data).digest('hex');
const call = async (body) => {
  const headers = { 'x-api-key': process.env.ANTHROPIC_API_KEY, 'content-type': 'application/json' };
  const response = await fetch('http://127.0.0.1:8317/anthropic/api.anthropic.com/v1/messages', { method: 'POST', headers, body });
  const [up, down] = (await response.text()).split(' ');
  return { status: response.status, up: up === sha(body), down: sha(down) };
};
const main = async () => {
  const large = await call('u'.repeat(5_000_000));
  const many = await Promise.all(Array.from({ length: 50 }, (_, index) => call(String(index))));
  const same = many.every((one) => JSON.stringify(one) === JSON.stringify(large));
  console.log(JSON.stringify({ large, same, socket: process.env.DOOMPI_BROKER_SOCKET ?? null }));
};
main();
`;
