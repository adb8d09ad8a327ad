import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { duplexPair, type Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findCredentials, startBroker, type Broker } from '../src/index.ts';
import { everywhere, privateDirectory, REAL_KEY } from './support/broker.ts';
import { call, connectRaw, head } from './support/client.ts';
import { startUpstream } from './support/upstream.ts';

const MESSAGES = '/anthropic/v1/messages';

interface Quiet {
  readonly broker: Broker;
  readonly token: string;
}

/** A broker that listens nowhere. */
const quietBroker = async (url: string): Promise<Quiet> => {
  const broker = await startBroker({ upstreams: everywhere(url) });
  onTestFinished(() => broker.close());
  const session = broker.openSession({ credentials: findCredentials({ ANTHROPIC_API_KEY: REAL_KEY }) });
  return { broker, token: session?.environment['ANTHROPIC_API_KEY'] as string };
};

/** A socket whose connections are handed to the broker by somebody else. */
const front = async (broker: Broker): Promise<string> => {
  const path = `${await privateDirectory()}/front.sock`;
  const server = createServer({ allowHalfOpen: true }, (socket) => broker.accept(socket)).listen(path);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return path;
};

describe('connections that are handed over', () => {
  it('are served like its own, although the broker listens nowhere', async () => {
    const upstream = await startUpstream((_request, response) => void response.end('answer'));
    const { broker, token } = await quietBroker(upstream.url);
    expect(broker.endpoint).toBeUndefined();
    const path = await front(broker);
    const answer = await call({ path, target: MESSAGES, headers: { 'x-api-key': token }, body: '{}' });
    expect([answer.status, answer.body]).toEqual([200, 'answer']);
    expect(upstream.seen[0]?.headers['x-api-key']).toBe(REAL_KEY);
    expect((await call({ path, target: MESSAGES, headers: { 'x-api-key': 'wrong' } })).status).toBe(401);
  });

  it('may be any duplex', async () => {
    const upstream = await startUpstream((_request, response) => void response.end('answer'));
    const { broker, token } = await quietBroker(upstream.url);
    const [near, far] = duplexPair();
    broker.accept(far);
    near.write(head(`POST ${MESSAGES}`, [`X-Api-Key: ${token}`, 'Content-Length: 2', 'Connection: close']) + '{}');
    expect(await text(near)).toMatch(/200 OK[^]*answer/);
  });

  it.each([
    ['ends', (near: Duplex) => void near.end()],
    ['is cut', (near: Duplex) => void near.destroy()],
  ])('take their upstream call with them when one %s', async (_how, leave) => {
    const upstream = await startUpstream((_request, response) => void response.write('first'));
    const { broker, token } = await quietBroker(upstream.url);
    const path = await front(broker);
    const client = await connectRaw(path);
    client.send(head(`POST ${MESSAGES}`, [`X-Api-Key: ${token}`, 'Content-Length: 0']));
    const [, response] = (await once(upstream.server, 'request')) as [unknown, NodeJS.EventEmitter];
    const cut = once(response, 'close');
    await client.until(/first/);
    leave(client.socket);
    await cut;
  });

  it('end with the broker, and at once when it is closed', async () => {
    const upstream = await startUpstream((_request, response) => void response.write('x'));
    const { broker, token } = await quietBroker(upstream.url);
    const path = await front(broker);
    const idle = await connectRaw(path);
    const busy = await connectRaw(path);
    busy.send(head(`POST ${MESSAGES}`, [`X-Api-Key: ${token}`, 'Content-Length: 0']));
    await once(upstream.server, 'request');
    await broker.close();
    await Promise.all([idle.ended, busy.ended]);
    const late: { readonly socket: Socket; readonly ended: Promise<string> } = await connectRaw(path);
    expect(await late.ended).toBe('');
  });
});
