import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';

export interface Upstream extends AsyncDisposable {
  readonly port: number;
  /** `METHOD target` of every request and of every CONNECT. */
  readonly requests: string[];
}

const EVENTS = [
  {
    type: 'message_start',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'fake answer' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
];

const STREAM = EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

/** Answers every request as Anthropic's Messages API does, and refuses every CONNECT. */
export const fakeUpstream = async (): Promise<Upstream> => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(STREAM));
  });
  server.on('connect', (request: IncomingMessage, socket) => {
    requests.push(`CONNECT ${request.url}`);
    socket.on('error', () => {}).end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return {
    port: address.port,
    requests,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close().closeAllConnections();
      await closed;
    },
  };
};
