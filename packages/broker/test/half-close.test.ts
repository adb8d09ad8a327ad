import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { everywhere, startTestBroker, type TestBroker } from './support/broker.ts';
import { connectRaw, head } from './support/client.ts';
import { startUpstream } from './support/upstream.ts';

const SIZE = 8_000_000;

const post = (broker: TestBroker, connection: string): string =>
  `${head('POST /anthropic/v1/messages', [`X-Api-Key: ${broker.token()}`, 'Content-Length: 2', `Connection: ${connection}`])}{}`;

describe('a client that ends its side', () => {
  it.each(['close', 'Keep-Alive, Close'])('B37: after "Connection: %s" still gets the whole answer', async (connection) => {
    const called = Promise.withResolvers<(size: number) => void>();
    const upstream = await startUpstream((_request, response) => called.resolve((size) => response.end(Buffer.alloc(size, 'x'))));
    const broker = await startTestBroker(everywhere(upstream.url));
    const client = await connectRaw(broker.path);
    client.send(post(broker, connection));
    const answer = await called.promise;
    client.socket.end();
    await once(client.socket, 'finish');
    // Another call and its answer: the broker has had time to see that the first client ended its side.
    const other = await connectRaw(broker.path);
    other.send(head('GET /anthropic/v1/nothing'));
    await other.until(/401/);
    answer(SIZE);
    const received = await client.ended;
    expect(received.length - received.indexOf('\r\n\r\n') - 4).toBe(SIZE);
  });

  it('B26: without that has gone, and its upstream call ends', async () => {
    const closed = Promise.withResolvers<void>();
    const called = Promise.withResolvers<void>();
    const upstream = await startUpstream((request) => {
      request.socket.once('close', () => closed.resolve());
      called.resolve();
    });
    const broker = await startTestBroker(everywhere(upstream.url));
    const client = await connectRaw(broker.path);
    client.send(post(broker, 'keep-alive'));
    await called.promise;
    client.socket.end();
    await closed.promise;
    expect(await client.ended).toBe('');
  });
});
