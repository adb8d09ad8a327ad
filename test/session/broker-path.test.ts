import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { within } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { sandbox, sessionRepository, startSandbox } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const agent = useStandIn();

const KEY = 'sk-ant-api03-real-0123456789abcdef';

const EVENTS = 20;

interface Upstream extends AsyncDisposable {
  readonly url: string;
}

const startUpstream = async (listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<Upstream> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Runs inside: reads a stream of events and acknowledges each over a second call before the next one is sent. */
const READER = `
const base = 'http://127.0.0.1:8317/anthropic/api.anthropic.com/v1/messages';
const headers = { 'x-api-key': process.env.ANTHROPIC_API_KEY, 'content-type': 'application/json' };
const main = async () => {
  const response = await fetch(base, { method: 'POST', headers, body: '{}' });
  process.stdout.write('length ' + response.headers.get('content-length') + '\\n');
  for await (const chunk of response.body) {
    process.stdout.write(chunk);
    await fetch(base + '/count_tokens', { method: 'POST', headers, body: '{}' }).then((answer) => answer.text());
  }
};
main();
`;

/** An event of 30 bytes; some with CRLF, some comments: bytes that a proxy must not touch. */
const event = (index: number): string => {
  const head = index % 3 === 0 ? `: comment ${index}` : `data: event ${index}`;
  return `${head.padEnd(26, '.')}\r\n\r\n`;
};

it('B25: each event reaches the agent before the next one is sent, byte for byte', async () => {
  let acknowledge: (() => void) | undefined;
  await using upstream = await startUpstream((request, response) => {
    request.resume();
    if (request.url === '/v1/messages/count_tokens') {
      acknowledge?.();
      response.end('{}');
      return;
    }
    const send = async (): Promise<void> => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      for (let index = 0; index < EVENTS; index += 1) {
        const acknowledged = new Promise<void>((resolve) => {
          acknowledge = resolve;
        });
        response.write(event(index));
        // Anything that collects events on the way waits for ever here, and the test times out.
        await acknowledged;
      }
      response.end();
    };
    void send();
  });
  await using repository = await sessionRepository();
  await writeFile(join(repository.path, 'reader.cjs'), READER);
  const run = sandbox([...agent(), '--upstream', `anthropic=${upstream.url}`, '--', 'node', 'reader.cjs'], {
    cwd: repository.path,
    environment: { ANTHROPIC_API_KEY: KEY },
  });
  const result = await within(run, { timeoutMs: 30_000, what: 'twenty acknowledged events' });
  const expected = Array.from({ length: EVENTS }, (_, index) => event(index)).join('');
  expect(result, result.stderr).toMatchObject({ exitCode: 0, stdout: `length null\n${expected}` });
});

it.each([
  ['before the headers', false],
  ['in the middle of a stream', true],
])('B26: an agent that is killed %s ends the upstream call', async (_when, headers) => {
  const arrived = Promise.withResolvers<IncomingMessage>();
  await using upstream = await startUpstream((request, response) => {
    request.resume();
    if (headers) response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event(1));
    request.once('end', () => arrived.resolve(request));
  });
  await using repository = await sessionRepository();
  const curl =
    'curl -sN -H "x-api-key: $ANTHROPIC_API_KEY" -d "{}" http://127.0.0.1:8317/anthropic/v1/messages & echo $! > pid; ';
  // The caller is killed, and the session lives on: only the call may end.
  const script = `${curl} read -r go; kill -9 $(cat pid); read -r end`;
  const running = startSandbox([...agent(), '--upstream', `anthropic=${upstream.url}`, '--', 'sh', '-c', script], {
    cwd: repository.path,
    environment: { ANTHROPIC_API_KEY: KEY },
  });
  const request = await within(arrived.promise, { timeoutMs: 30_000, what: 'the call' });
  const closed = once(request.socket, 'close');
  running.child.stdin?.write('go\n');
  await within(closed, { timeoutMs: 5000, what: "the upstream's connection to close" });
  expect(running.child.exitCode).toBe(null);
  running.child.stdin?.end('end\n');
  await within(running.closed, { timeoutMs: 10_000, what: 'the session to end' });
});

it('S09: refused calls are told by their code, each kind once and then counted, without text from inside', async () => {
  await using repository = await sessionRepository();
  const call = 'curl -s -o /dev/null -H "x-api-key: $ANTHROPIC_API_KEY" "http://127.0.0.1:8317/anthropic/v1/files/INJECTED"; ';
  const options = agent().filter((option) => option !== '--quiet');
  const result = await sandbox([...options, '--', 'sh', '-c', call.repeat(3)], {
    cwd: repository.path,
    environment: { ANTHROPIC_API_KEY: KEY },
  });
  expect(result.stderr.match(/the broker refused .*/g)).toEqual([
    'the broker refused a call: path_not_allowed',
    'the broker refused 3 calls: path_not_allowed',
  ]);
  expect(result.stderr).not.toContain('INJECTED');
});
